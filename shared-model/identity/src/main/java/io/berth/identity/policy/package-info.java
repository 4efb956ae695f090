/**
 * Decides what a caller may do, by named rules in the language of oslo.policy: a service's defaults, overridden by an
 * operator's file. Start with {@link io.berth.identity.policy.Policy}; {@code CheckParser}, {@code RuleTable} and
 * {@code Check} are pure. The package knows no route: a service names its rules in a {@link
 * io.berth.identity.policy.PolicyDefaults}.
 */
package io.berth.identity.policy;
