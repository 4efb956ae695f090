/**
 * The methods that nova's services call: {@link io.berth.scheduler.nova.rpc.SchedulerMethods}. Knows no broker.
 */
package io.berth.scheduler.nova.rpc;
