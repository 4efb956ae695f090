/**
 * Compares what Berth would have chosen with what nova-scheduler chose.
 * {@link io.berth.scheduler.nova.shadow.ShadowCalls} tries each request as {@code dry_run} does,
 * {@link io.berth.scheduler.nova.shadow.NovaChoices} waits for nova's claims and compares,
 * {@link io.berth.scheduler.nova.shadow.ShadowEndpoint} returns the results. {@code nova.rabbit} calls this package.
 * Does not claim, does not reply, and writes neither to nova nor to placement.
 */
package io.berth.scheduler.nova.shadow;
