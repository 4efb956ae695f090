/**
 * Plans the writes that make the target of a migration equal to its source, in an order in which Placement accepts
 * every write, and sends the writes.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.plan.Plan} (no I/O),
 * {@link io.berth.deploy.migration.plan.PlanRun}.
 */
package io.berth.deploy.migration.plan;
