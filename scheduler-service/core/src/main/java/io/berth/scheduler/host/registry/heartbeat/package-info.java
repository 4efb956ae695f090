/** Heartbeats of compute services, from one or from many at once. No changes of their records. */
package io.berth.scheduler.host.registry.heartbeat;
