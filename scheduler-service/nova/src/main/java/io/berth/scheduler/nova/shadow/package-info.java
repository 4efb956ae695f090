/**
 * What would Berth have chosen, compared with nova-scheduler? {@link io.berth.scheduler.nova.shadow.ShadowCalls} tries
 * each request as {@code dry_run} does, {@link io.berth.scheduler.nova.shadow.NovaChoices} waits for nova's claims and
 * compares, {@link io.berth.scheduler.nova.shadow.ShadowEndpoint} returns the results. Claims nothing, replies to no
 * message and writes nothing of nova's or placement's.
 */
package io.berth.scheduler.nova.shadow;
