/**
 * nova-scheduler's place: nova's services ask over RabbitMQ, as they ask nova-scheduler, and are answered by the same
 * decisions as {@code POST /v1/select_destinations}. Off unless {@code berth.nova.transport-url} is set.
 *
 * <p>From the wire inwards: {@link io.berth.scheduler.nova.rabbit} (connection, queues, replies),
 * {@link io.berth.scheduler.nova.rpc} (methods), {@link io.berth.scheduler.nova.object} (nova's objects to requests, answers
 * to nova's objects), {@link io.berth.scheduler.nova.message} (oslo.messaging's envelope). Or they are not answered, and only
 * compared: {@link io.berth.scheduler.nova.shadow}, with {@code berth.nova.shadow}.
 */
package io.berth.scheduler.nova;
