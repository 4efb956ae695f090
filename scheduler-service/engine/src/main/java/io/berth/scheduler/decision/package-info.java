/**
 * Where does the instance go, and why? {@link io.berth.scheduler.decision.Scheduling} is the pure pipeline of
 * preselection, filters, weighers and pick, one round per instance, with the virtual consumption between rounds;
 * {@link io.berth.scheduler.decision.Decision} is its outcome with all that is needed to explain it.
 *
 * <p>No I/O, no clock, no randomness but what is passed in. Whoever really claims hosts asks a round for its
 * candidates in order, and tells the pipeline which one it got.
 */
package io.berth.scheduler.decision;
