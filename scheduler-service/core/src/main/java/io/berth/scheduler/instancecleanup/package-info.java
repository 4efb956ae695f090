/**
 * Ends registrations of instances. An instance is registered as long as it holds allocations in placement: when a
 * client releases them, its registration is deleted. Start at
 * {@link io.berth.scheduler.instancecleanup.InstanceCleanups}, which detects that, and
 * {@link io.berth.scheduler.instancecleanup.InstanceDeletion}, which does both on request. An instance that a client
 * registered and that was never seen to hold allocations stays. This package must not know hosts or decisions.
 */
package io.berth.scheduler.instancecleanup;
