/**
 * Defines what callers may do with the scheduler: {@link io.berth.scheduler.identity.SchedulerRules}. Their
 * identification is in {@code io.berth.identity}.
 */
package io.berth.scheduler.identity;
