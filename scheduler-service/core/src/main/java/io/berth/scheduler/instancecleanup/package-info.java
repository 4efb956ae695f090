/**
 * Deletes registrations of instances. {@link io.berth.scheduler.instancecleanup.InstanceCleanups} detects instances
 * whose allocations a client released in placement, and deletes their registrations. It ignores instances that a client
 * registered and that were never seen to hold allocations, and registers an instance again that holds allocations after
 * all. {@link io.berth.scheduler.instancecleanup.InstanceDeletion} serves {@code DELETE /v1/instances/{uuid}}: releases
 * the allocations, then deletes the registration. This package must not depend on host states or decisions.
 */
package io.berth.scheduler.instancecleanup;
