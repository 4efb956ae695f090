/**
 * Compares what Berth would have chosen with what nova-scheduler chose.
 * {@link io.berth.scheduler.nova.shadow.ShadowCalls} decides each request as a dry run,
 * {@link io.berth.scheduler.nova.shadow.NovaChoices} waits for nova's claims and compares,
 * {@link io.berth.scheduler.nova.shadow.ShadowEndpoint} returns the results. {@code nova.rabbit} calls this package.
 * This package makes no claims and sends no replies; it writes neither to nova nor to placement.
 */
package io.berth.scheduler.nova.shadow;
