/**
 * Renders decisions for responses, logs and records. {@link io.berth.scheduler.decision.explanation.NoValidHost}
 * explains in one sentence why no host was found; {@link io.berth.scheduler.decision.explanation.DecisionJson} renders
 * JSON with all hosts of each stage, {@link io.berth.scheduler.decision.explanation.BriefDecisionJson} with their
 * numbers and the best hosts. Pure.
 */
package io.berth.scheduler.decision.explanation;
