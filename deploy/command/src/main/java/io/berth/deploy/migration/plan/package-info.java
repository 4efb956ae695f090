/**
 * Plans the writes that make the target equal to the source, in an order in which Placement accepts each, and sends
 * them.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.plan.Plan} (no I/O),
 * {@link io.berth.deploy.migration.plan.PlanRun}.
 */
package io.berth.deploy.migration.plan;
