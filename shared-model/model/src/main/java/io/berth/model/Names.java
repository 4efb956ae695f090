package io.berth.model;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Parses a text block of names, which are separated by white space. */
final class Names {
    private Names() {}

    /** Returns the names in the order of the text. Unmodifiable. */
    static Set<String> parse(String lines) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(lines.strip().split("\\s+"))));
    }
}
