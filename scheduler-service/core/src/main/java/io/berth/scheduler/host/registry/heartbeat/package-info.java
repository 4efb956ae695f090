/**
 * The routes to send the heartbeat of one compute service, or of many in one request.
 * {@link io.berth.scheduler.host.registry.heartbeat.HeartbeatStore} writes concurrent heartbeats with one statement,
 * and changes only the column {@code last_heartbeat} of a service.
 */
package io.berth.scheduler.host.registry.heartbeat;
