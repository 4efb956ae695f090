/**
 * The routes by which compute services send heartbeats, for one service or many.
 * {@link io.berth.scheduler.host.registry.heartbeat.HeartbeatStore} writes concurrent heartbeats with one statement,
 * and changes no other column of a service.
 */
package io.berth.scheduler.host.registry.heartbeat;
