/**
 * Implements the methods that nova's services call. The package {@code rabbit} calls
 * {@link io.berth.scheduler.nova.rpc.SchedulerMethods}, which decides with the core's {@code selection}, and rolls back
 * the claims of a call whose caller did not get the reply. This package depends on no broker.
 */
package io.berth.scheduler.nova.rpc;
