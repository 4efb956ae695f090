package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Locale;

/** An enum whose constants are spelled in lower case in flavors, images, JSON and database tables. */
public interface WireNamed {
    /** Returns the name of the constant in Java. */
    String name();

    /** Returns the spelling of the constant outside of Java. */
    default String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the constant whose {@link #wireName} equals the text; null if there is none. */
    static <E extends WireNamed> @Nullable E find(E[] constants, @Nullable String text) {
        for (E constant : constants) {
            if (constant.wireName().equals(text)) {
                return constant;
            }
        }
        return null;
    }
}
