package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Locale;

/** A constant of an enum whose word in flavors, images, JSON and tables is its name in lower case. */
public interface WireNamed {
    /** Returns the name of the constant in Java. */
    String name();

    /** The word. */
    default String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns null if the text is the word of none of them; it is compared exactly. */
    static <E extends WireNamed> @Nullable E find(E[] constants, @Nullable String text) {
        for (E constant : constants) {
            if (constant.wireName().equals(text)) {
                return constant;
            }
        }
        return null;
    }
}
