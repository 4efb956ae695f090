package io.berth.scheduler.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects descriptions of what is missing in an analysis. Mutable, for one thread. */
final class Gaps {
    private final Set<String> all = new LinkedHashSet<>();
    private String where = "";

    /**
     * Sets the prefix of the following gaps.
     *
     * @param place the part of the analysis; empty: no prefix
     */
    void of(String place) {
        where = place.isEmpty() ? "" : place + ": ";
    }

    void add(String gap) {
        all.add(where + gap);
    }

    List<String> all() {
        return new ArrayList<>(all);
    }
}
