/**
 * The basis of operators' analyses. {@link io.berth.scheduler.job.AnalysisJobs} runs them, few at a time and with a
 * deadline, on a {@link io.berth.scheduler.job.Snapshot}: registry, options and placement's fleet, or all of them
 * as in a {@link io.berth.scheduler.job.Scenario}. Nothing here claims or writes. Must not depend on routes or
 * any one analysis.
 */
package io.berth.scheduler.job;
