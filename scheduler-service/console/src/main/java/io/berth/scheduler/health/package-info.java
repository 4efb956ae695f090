/**
 * The running service for somebody who looks at it: which replicas answer, what placement's audit finds. Asks placement,
 * and changes nothing.
 *
 * <p>Start at {@link io.berth.scheduler.health.ReplicaEndpoint}.
 */
package io.berth.scheduler.health;
