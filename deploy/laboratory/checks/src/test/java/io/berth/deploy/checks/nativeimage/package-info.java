/** Checks the input of a native build of the services: {@link io.berth.deploy.checks.nativeimage.NativeSourcesTest}. */
package io.berth.deploy.checks.nativeimage;
