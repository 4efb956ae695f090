/**
 * The routes to send the heartbeat of one compute service, or of many in one request.
 * {@link io.berth.scheduler.host.registry.heartbeat.HeartbeatStore} writes concurrent heartbeats with one statement,
 * and changes no column of a service other than those of the heartbeat.
 */
package io.berth.scheduler.host.registry.heartbeat;
