/**
 * The process of the scheduler service, which {@link io.berth.scheduler.SchedulerMain} starts. The features are in the
 * subpackages, in several modules.
 */
package io.berth.scheduler;
