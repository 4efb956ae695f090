/**
 * Consumes nova's queues in RabbitMQ. {@link io.berth.scheduler.nova.rabbit.NovaListener} starts with the service and
 * keeps a connection; {@link io.berth.scheduler.nova.rpc.SchedulerMethods} processes the messages, or
 * {@link io.berth.scheduler.nova.shadow.ShadowCalls} in shadow mode. No other package uses this one.
 */
package io.berth.scheduler.nova.rabbit;
