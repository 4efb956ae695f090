/** The manifests of {@code deploy/kubernetes}: {@link io.berth.deploy.checks.kubernetes.ManifestsTest}. */
package io.berth.deploy.checks.kubernetes;
