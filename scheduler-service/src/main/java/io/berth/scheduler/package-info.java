/**
 * Runs the filter scheduler as a process: {@link io.berth.scheduler.SchedulerMain}. Everything else is in the
 * packages below, by feature.
 */
package io.berth.scheduler;
