/**
 * What would Berth have chosen, beside what nova-scheduler chose? {@link io.berth.scheduler.nova.shadow.ShadowCalls} tries
 * each request as {@code dry_run} does, {@link io.berth.scheduler.nova.shadow.NovaChoices} waits for what nova claims and
 * compares, {@link io.berth.scheduler.nova.shadow.ShadowEndpoint} tells. Claims nothing, answers nobody and writes nothing of nova's or placement's.
 */
package io.berth.scheduler.nova.shadow;
