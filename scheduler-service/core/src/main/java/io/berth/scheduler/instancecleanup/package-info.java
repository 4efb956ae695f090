/**
 * Deletes registrations of instances. {@link io.berth.scheduler.instancecleanup.InstanceCleanups} detects instances
 * whose allocations a client released in placement, and deletes their registrations.
 * {@link io.berth.scheduler.instancecleanup.InstanceDeletion} serves {@code DELETE /v1/instances/{uuid}}: releases the
 * allocations, then deletes the registration. An instance that a client registered and that was never seen to hold
 * allocations stays registered. This package must not depend on host states or decisions.
 */
package io.berth.scheduler.instancecleanup;
