package io.berth.identity.policy;

import java.util.List;

/** A rule as a policy file has it. */
sealed interface StatedRule {
    /** A rule in the language of {@link CheckParser}. */
    record Text(String text) implements StatedRule {}

    /** oslo.policy's old form: each inner list holds checks that must all hold; one of the lists suffices. */
    record AnyOf(List<List<String>> lists) implements StatedRule {
        public AnyOf {
            lists = lists.stream().map(List::copyOf).toList();
        }
    }
}
