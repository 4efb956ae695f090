/**
 * The routes {@code /v1/replica} and {@code /v1/audit}, which the operator's page uses: the replicas that respond, and
 * placement's audit of its tables. They query placement and change nothing. Entry points:
 * {@link io.berth.scheduler.health.ReplicaEndpoint}, {@link io.berth.scheduler.health.AuditEndpoint}.
 */
package io.berth.scheduler.health;
