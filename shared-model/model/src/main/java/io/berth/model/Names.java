package io.berth.model;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Parses a text block of names, one per line. */
final class Names {
    private Names() {}

    static Set<String> parse(String lines) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(lines.strip().split("\\s+"))));
    }
}
