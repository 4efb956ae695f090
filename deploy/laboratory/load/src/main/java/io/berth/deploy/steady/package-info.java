/**
 * Claims that go on while something happens to the service (a restart, a backup), and what must be true afterwards. For
 * the scripts of {@code deploy/test}; over the public API alone, as an admin of the development identity.
 *
 * <p>Entry points: {@link io.berth.deploy.steady.SteadyClaimsMain}, {@link io.berth.deploy.steady.JournalCheckMain}.
 */
package io.berth.deploy.steady;
