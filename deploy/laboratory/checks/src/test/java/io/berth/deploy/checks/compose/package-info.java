/** The compose file of {@code deploy/compose}: {@link io.berth.deploy.checks.compose.ComposeFileTest}. */
package io.berth.deploy.checks.compose;
