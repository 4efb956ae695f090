/**
 * Placement as the scheduler sees it, over HTTP alone. {@link io.berth.scheduler.placement.PlacementClient} is the
 * entry point; what a call can come to is a sealed result, never an exception. Must not know filters, weighers or the
 * host registry.
 *
 * <p>Candidates: {@link io.berth.scheduler.placement.CandidatesFeed} (who waits for which answer, what is held),
 * {@link io.berth.scheduler.placement.CandidatesExchange} (one question), {@link io.berth.scheduler.placement.Turns}
 * and {@link io.berth.scheduler.placement.ClaimsUnderway} (requests that share an answer do not all choose the same
 * host).
 */
package io.berth.scheduler.placement;
