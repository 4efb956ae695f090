/**
 * Shows operators the running service: which replicas respond, and the findings of placement's audit. Queries
 * placement, and changes nothing.
 *
 * <p>Start at {@link io.berth.scheduler.health.ReplicaEndpoint}.
 */
package io.berth.scheduler.health;
