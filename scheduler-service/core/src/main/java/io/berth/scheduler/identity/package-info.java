/**
 * The scheduler's policy rules: {@link io.berth.scheduler.identity.SchedulerRules} maps a request to its rule, and
 * defines the default of each rule. The module {@code identity} identifies callers and evaluates the rules.
 */
package io.berth.scheduler.identity;
