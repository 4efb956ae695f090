/** Stores heartbeats of compute services, one or many at once. It does not change other members of their records. */
package io.berth.scheduler.host.registry.heartbeat;
