package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Locale;

/** An enum constant that flavors, images, JSON and tables spell as its name in lower case. */
public interface WireNamed {
    /** Returns the name of the constant in Java. */
    String name();

    /** Returns the spelling of the constant outside of Java. */
    default String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the constant that is spelled like the text, compared exactly; null if there is none. */
    static <E extends WireNamed> @Nullable E find(E[] constants, @Nullable String text) {
        for (E constant : constants) {
            if (constant.wireName().equals(text)) {
                return constant;
            }
        }
        return null;
    }
}
