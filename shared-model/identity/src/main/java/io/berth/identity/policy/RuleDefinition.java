package io.berth.identity.policy;

import java.util.List;

/** A rule as it stands in a policy file, before its checks are parsed. */
sealed interface RuleDefinition {
    /** A rule in the language of {@link CheckParser}. */
    record Text(String text) implements RuleDefinition {}

    /**
     * A rule in oslo.policy's old form. The rule holds if all checks of at least one inner list hold. Empty inner lists
     * are ignored; a rule without any inner list always holds.
     */
    record AnyOf(List<List<String>> lists) implements RuleDefinition {
        public AnyOf {
            lists = lists.stream().map(List::copyOf).toList();
        }
    }
}
