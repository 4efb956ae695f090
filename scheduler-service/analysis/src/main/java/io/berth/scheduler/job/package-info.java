/**
 * The basis of operators' analyses, such as capacity counts, explanations and drain plans.
 * {@link io.berth.scheduler.job.AnalysisJobs} runs analyses one at a time. An analysis of the cloud has a deadline, and
 * works on a {@link io.berth.scheduler.job.Snapshot}: the registry, the options and placement's fleet, with or without
 * the changes of a {@link io.berth.scheduler.job.Scenario}. Nothing is claimed or written. The packages of analyses
 * depend on this package, which must not depend on routes or on any one analysis.
 */
package io.berth.scheduler.job;
