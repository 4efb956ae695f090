/**
 * The process of the filter scheduler: {@link io.berth.scheduler.SchedulerMain}. Everything else is in the packages
 * below, by feature.
 */
package io.berth.scheduler;
