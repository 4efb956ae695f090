/**
 * Two routes that the operator's page uses. {@code /v1/replica} ({@link io.berth.scheduler.health.ReplicaEndpoint})
 * returns the version of the scheduler's replica that serves the request, and of placement's replica that it queried.
 * {@code /v1/audit} ({@link io.berth.scheduler.health.AuditEndpoint}) returns placement's audit of its tables. Both
 * query placement and change nothing.
 */
package io.berth.scheduler.health;
