package io.berth.identity.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.identity.Caller;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Tests that random expressions have the meaning of their tree, and that random text is parsed or refused. */
class CheckParserPropertyTest {
    private static final int CASES = 5_000;
    private static final String[] ROLES = {"a", "b", "c", "d"};
    private static final Target NOTHING = new Target(null, null);
    private static final String[] WORDS =
            {"and", "or", "not", "(", ")", "@", "!", "role:a", "rule:x", "'", ":", "%", "%(project_id)s",
                "user_id:1", "\t"};

    private final long seed = Long.getLong("berth.test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** An expression and its meaning. */
    private record Sample(String text, boolean isSimple, Predicate<Set<String>> meaning) {}

    @Test
    void expressionsHaveTheMeaningOfTheirTree() {
        for (int i = 0; i < CASES; i++) {
            Sample sample = sample(4);
            Set<String> roles = new HashSet<>();
            for (String role : ROLES) {
                if (random.nextBoolean()) {
                    roles.add(role);
                }
            }
            assertThat(CheckParser.parse(sample.text(), PolicyFaults.REFUSE)
                    .holds(Caller.ofProject("u", "p", roles), NOTHING))
                    .as("seed %d: %s with %s", seed, sample.text(), roles)
                    .isEqualTo(sample.meaning().test(roles));
        }
    }

    @Test
    void anyTextIsParsedOrRefused() {
        for (int i = 0; i < CASES; i++) {
            StringBuilder text = new StringBuilder();
            for (int words = random.nextInt(12); words > 0; words--) {
                text.append(random.nextInt(4) == 0
                        ? String.valueOf((char) (' ' + random.nextInt(95)))
                        : WORDS[random.nextInt(WORDS.length)]);
                text.append(random.nextBoolean() ? " " : "");
            }
            try {
                CheckParser.parse(text.toString(), PolicyFaults.REFUSE);
            } catch (PolicyFault refused) {
                assertThat(refused.column()).as("seed %d: %s", seed, text).isBetween(1, text.length() + 1);
                assertThat(CheckParser.parse(text.toString(), (wrong, effect) -> {})).isNotNull();
            }
        }
    }

    /** Returns a random expression without needless parentheses. */
    private Sample sample(int depth) {
        return switch (depth == 0 ? 0 : random.nextInt(4)) {
            case 1 -> {
                Sample inner = sample(depth - 1);
                yield new Sample("not " + wrapped(inner), true, inner.meaning().negate());
            }
            case 2 -> {
                Sample left = sample(depth - 1);
                Sample right = sample(depth - 1);
                yield new Sample(
                        wrapped(left) + "  and " + wrapped(right), false, left.meaning().and(right.meaning()));
            }
            case 3 -> {
                // "and" binds stronger, so an inner "and" or "or" may stand bare.
                Sample left = sample(depth - 1);
                Sample right = sample(depth - 1);
                yield new Sample(left.text() + " OR " + right.text(), false, left.meaning().or(right.meaning()));
            }
            default -> {
                String role = ROLES[random.nextInt(ROLES.length)];
                yield new Sample("role:" + role, true, roles -> roles.contains(role));
            }
        };
    }

    private static String wrapped(Sample sample) {
        return sample.isSimple() ? sample.text() : "(" + sample.text() + ")";
    }
}
