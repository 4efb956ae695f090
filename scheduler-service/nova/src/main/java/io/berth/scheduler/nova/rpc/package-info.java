/**
 * Implements the methods that nova's services call. Entry point: {@link io.berth.scheduler.nova.rpc.SchedulerMethods},
 * which {@code rabbit} calls. Decides with the core's {@code selection}; depends on no broker.
 */
package io.berth.scheduler.nova.rpc;
