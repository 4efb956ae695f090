package io.berth.scheduler.host.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that equal values of the same class become one object. */
class ValueInternerTest {
    @Test
    void returnsTheSameObjectForEqualValuesOnly() {
        List<String> first = new ArrayList<>(List.of("one", "same"));
        assertThat(ValueInterner.of(first)).isSameAs(first);
        assertThat(ValueInterner.of(new ArrayList<>(first))).isSameAs(first);
        List<String> other = new ArrayList<>(List.of("another"));
        assertThat(ValueInterner.of(other)).isSameAs(other);
        String none = ValueInterner.ofNullable(null);
        assertThat(none).isNull();
    }

    /** A list of another class is equal, but must not replace it. */
    @Test
    void distinguishesEqualValuesOfDifferentClasses() {
        List<String> mutable = ValueInterner.of(new ArrayList<>(List.of("of", "two", "kinds")));
        List<String> fixed = List.of("of", "two", "kinds");
        assertThat(ValueInterner.of(fixed)).isSameAs(fixed).isNotSameAs(mutable);
    }

    /** Values whose hashes collide must not replace each other. */
    @Test
    void returnsEachOfManyValuesUnchanged() {
        for (int turn = 0; turn < 2; turn++) {
            for (int i = 0; i < 100_000; i++) {
                assertThat(ValueInterner.of("value " + i)).isEqualTo("value " + i);
            }
        }
    }
}
