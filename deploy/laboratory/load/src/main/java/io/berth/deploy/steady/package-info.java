/**
 * Runs claims while a script of {@code deploy/test} restarts placement or takes a backup, and checks that no
 * acknowledged claim is lost or doubled. This package uses only the public API, with the token {@code admin}.
 *
 * <p>Entry points: {@link io.berth.deploy.steady.SteadyClaimsMain}, {@link io.berth.deploy.steady.JournalCheckMain}.
 */
package io.berth.deploy.steady;
