package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Locale;

/** An enum constant whose word in flavors, images, JSON and tables is its name in lower case. */
public interface WireNamed {
    /** Returns the name of the constant in Java. */
    String name();

    /** Returns the word of the constant. */
    default String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns null if the text is not the word of any constant; it is compared exactly. */
    static <E extends WireNamed> @Nullable E find(E[] constants, @Nullable String text) {
        for (E constant : constants) {
            if (constant.wireName().equals(text)) {
                return constant;
            }
        }
        return null;
    }
}
