/** The packages that {@code deploy/release} makes: {@link io.berth.deploy.checks.packages.PackagesTest}. */
package io.berth.deploy.checks.packages;
