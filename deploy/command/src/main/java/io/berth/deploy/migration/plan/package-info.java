/**
 * The writes that make the target equal to the source, in an order in which each of them is allowed, and their sending.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.plan.Plan} (pure), {@link io.berth.deploy.migration.plan.PlanRun}.
 */
package io.berth.deploy.migration.plan;
