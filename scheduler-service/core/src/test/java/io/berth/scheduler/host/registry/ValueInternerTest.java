package io.berth.scheduler.host.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueInternerTest {
    @Test
    void equalValuesBecomeTheSameObjectAndOthersStayWhatTheyAre() {
        List<String> first = new ArrayList<>(List.of("one", "same"));
        assertThat(ValueInterner.of(first)).isSameAs(first);
        assertThat(ValueInterner.of(new ArrayList<>(first))).isSameAs(first);
        List<String> other = new ArrayList<>(List.of("another"));
        assertThat(ValueInterner.of(other)).isSameAs(other);
        String none = ValueInterner.ofNullable(null);
        assertThat(none).isNull();
    }

    /** A list of another kind is equal and does not take its place. */
    @Test
    void onlyValuesOfTheSameClassAreAlike() {
        List<String> mutable = ValueInterner.of(new ArrayList<>(List.of("of", "two", "kinds")));
        List<String> fixed = List.of("of", "two", "kinds");
        assertThat(ValueInterner.of(fixed)).isSameAs(fixed).isNotSameAs(mutable);
    }

    /** However many values differ, each comes back as what it is. */
    @Test
    void valuesThatShareAPlaceDoNotBecomeEachOther() {
        for (int turn = 0; turn < 2; turn++) {
            for (int i = 0; i < 100_000; i++) {
                assertThat(ValueInterner.of("value " + i)).isEqualTo("value " + i);
            }
        }
    }
}
