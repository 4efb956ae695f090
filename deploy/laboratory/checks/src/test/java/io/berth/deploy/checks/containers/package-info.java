/** The container files of {@code deploy/containers}: {@link io.berth.deploy.checks.containers.ContainerfilesTest}. */
package io.berth.deploy.checks.containers;
