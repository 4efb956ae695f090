/**
 * What callers may do with the scheduler: {@link io.berth.scheduler.identity.SchedulerRules}. Who they are:
 * {@code io.berth.identity}.
 */
package io.berth.scheduler.identity;
