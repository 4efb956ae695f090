/**
 * The methods that nova's services call: {@link io.berth.scheduler.nova.rpc.SchedulerMethods}. Depends on no broker.
 */
package io.berth.scheduler.nova.rpc;
