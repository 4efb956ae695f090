package io.berth.identity.policy;

import java.util.List;

/** A rule as a policy file states it. */
sealed interface StatedRule {
    /** A rule in the language of {@link CheckParser}. */
    record Text(String text) implements StatedRule {}

    /** oslo.policy's old form: all checks of an inner list must hold; one such list is enough. */
    record AnyOf(List<List<String>> lists) implements StatedRule {
        public AnyOf {
            lists = lists.stream().map(List::copyOf).toList();
        }
    }
}
