/**
 * Renders decisions for responses, logs and records. {@link io.berth.scheduler.decision.explanation.NoValidHost}
 * explains in one sentence why no host was found; {@link io.berth.scheduler.decision.explanation.DecisionJson} and
 * {@link io.berth.scheduler.decision.explanation.BriefDecisionJson} render JSON. Pure.
 */
package io.berth.scheduler.decision.explanation;
