/**
 * The process of the scheduler service: {@link io.berth.scheduler.SchedulerMain} starts it. The features are in the
 * subpackages, in several modules.
 */
package io.berth.scheduler;
