/**
 * Decides what a caller may do, by named rules in the language of oslo.policy: a service's defaults ({@link
 * io.berth.identity.policy.PolicyDefaults}), overridden by an operator's file. {@link io.berth.identity.policy.Policy}
 * reads the file and answers whether a caller may use an operation. {@code PolicyFile} parses the file, {@code
 * CheckParser} parses each rule into a {@code Check}, and {@code RuleTable} has the checks by the names of their rules.
 * The package does not know the routes of a service.
 */
package io.berth.identity.policy;
