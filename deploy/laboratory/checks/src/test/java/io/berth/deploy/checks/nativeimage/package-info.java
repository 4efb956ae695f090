/** What a native build of the services is given: {@link io.berth.deploy.checks.nativeimage.NativeSourcesTest}. */
package io.berth.deploy.checks.nativeimage;
