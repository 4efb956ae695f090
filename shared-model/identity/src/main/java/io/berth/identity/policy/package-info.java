/**
 * Decides what a caller may do: named rules in the language of oslo.policy, the service's own defaults overridden by an
 * operator's file. Start with {@link io.berth.identity.policy.Policy}; {@code CheckParser}, {@code RuleTable} and
 * {@code Check} are pure. Knows no route: a service names its rules in a {@link
 * io.berth.identity.policy.PolicyDefaults}.
 */
package io.berth.identity.policy;
