package io.berth.scheduler.text;

import jakarta.annotation.Nullable;
import java.util.Locale;

/** Of enums: a constant whose word in flavors, images, JSON and tables is its name in lower case. */
public interface WireNamed {
    /** As every constant has it. */
    String name();

    /** The word. */
    default String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Null if the text, which is compared exactly, is the word of none of them. */
    static <E extends WireNamed> @Nullable E find(E[] constants, @Nullable String text) {
        for (E constant : constants) {
            if (constant.wireName().equals(text)) {
                return constant;
            }
        }
        return null;
    }
}
