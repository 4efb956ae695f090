/**
 * Decides where each instance goes, and keeps the reasons. {@link io.berth.scheduler.decision.Scheduling} is the pure
 * pipeline of preselection, filters, weighers and pick, one round per instance, which charges the selected host between
 * rounds; {@link io.berth.scheduler.decision.Decision} is its outcome with everything that explains it.
 *
 * <p>The pipeline has no I/O, no clock and no randomness except what is passed in. The claim loop takes a round's hosts
 * in order and passes the one that it claimed back to the pipeline.
 */
package io.berth.scheduler.decision;
