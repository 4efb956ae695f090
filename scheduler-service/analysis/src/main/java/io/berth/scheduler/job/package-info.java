/**
 * The basis of operators' analyses. {@link io.berth.scheduler.job.AnalysisJobs} runs them, one at a time and with a
 * deadline, on a {@link io.berth.scheduler.job.Snapshot}: registry, options and placement's fleet, or all of them with
 * the changes of a {@link io.berth.scheduler.job.Scenario}. Nothing here claims or writes. All packages of analyses use
 * this one. Must not depend on routes or any one analysis.
 */
package io.berth.scheduler.job;
