/**
 * Replaces nova-scheduler: nova's services call it over RabbitMQ, as they call nova-scheduler, and receive the same
 * decisions as {@code POST /v1/select_destinations}. Off unless {@code berth.nova.transport-url} is set.
 *
 * <p>From the wire inwards: {@link io.berth.scheduler.nova.rabbit} (connection, queues, replies),
 * {@link io.berth.scheduler.nova.rpc} (methods), {@link io.berth.scheduler.nova.object} (nova's objects to requests,
 * results to nova's objects), {@link io.berth.scheduler.nova.message} (oslo.messaging's envelope). Alternatively it
 * sends no replies and only compares decisions: {@link io.berth.scheduler.nova.shadow}, with {@code berth.nova.shadow}.
 */
package io.berth.scheduler.nova;
