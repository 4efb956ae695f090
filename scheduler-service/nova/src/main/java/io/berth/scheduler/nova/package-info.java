/**
 * Replaces nova-scheduler. nova's services call Berth over RabbitMQ, as they call nova-scheduler, and receive the same
 * decisions as clients of {@code POST /v1/select_destinations}. Berth connects to RabbitMQ only if
 * {@code berth.nova.transport-url} is set.
 *
 * <p>The packages, from RabbitMQ inwards: {@link io.berth.scheduler.nova.rabbit} (connection, queues, replies),
 * {@link io.berth.scheduler.nova.rpc} (methods), {@link io.berth.scheduler.nova.object} (nova's objects to requests,
 * results to nova's objects), {@link io.berth.scheduler.nova.message} (oslo.messaging's envelope). With
 * {@code berth.nova.shadow}, Berth sends no replies and only compares its decisions with those of nova-scheduler:
 * {@link io.berth.scheduler.nova.shadow}. {@link io.berth.scheduler.nova.database} reads hosts from nova's databases,
 * with or without RabbitMQ.
 */
package io.berth.scheduler.nova;
