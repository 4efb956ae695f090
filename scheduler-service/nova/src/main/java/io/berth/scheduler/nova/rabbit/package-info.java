/**
 * nova's queues in RabbitMQ: {@link io.berth.scheduler.nova.rabbit.NovaListener} keeps a connection, takes messages as
 * nova-scheduler does, and has {@link io.berth.scheduler.nova.rpc.SchedulerMethods} process them. Decides nothing.
 */
package io.berth.scheduler.nova.rabbit;
