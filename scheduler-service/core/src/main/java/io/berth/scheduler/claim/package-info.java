/**
 * Claims: down a ranked list until one holds, and the taking back of those a failed request made.
 * {@link io.berth.scheduler.claim.ClaimLoop} is the entry point on the way in, {@link io.berth.scheduler.claim.Releases}
 * on the way out. Must not know filters, weighers or records of requests.
 */
package io.berth.scheduler.claim;
