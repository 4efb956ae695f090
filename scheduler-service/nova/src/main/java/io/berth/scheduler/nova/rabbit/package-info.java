/**
 * Consumes nova's queues in RabbitMQ. If a transport URL is configured,
 * {@link io.berth.scheduler.nova.rabbit.NovaListener} starts {@link io.berth.scheduler.nova.rabbit.QueueConsumer} with
 * the service, and the consumer keeps a connection. {@link io.berth.scheduler.nova.rpc.SchedulerMethods} processes the
 * messages, or {@link io.berth.scheduler.nova.shadow.ShadowCalls} in shadow mode. No other package uses this one.
 */
package io.berth.scheduler.nova.rabbit;
