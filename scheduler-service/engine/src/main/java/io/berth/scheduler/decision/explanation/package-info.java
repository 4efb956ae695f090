/**
 * Renders a decision in words and as JSON: {@link io.berth.scheduler.decision.explanation.NoValidHost} writes one
 * sentence, {@link io.berth.scheduler.decision.explanation.DecisionJson} and its brief form write all of it.
 */
package io.berth.scheduler.decision.explanation;
