package io.berth.scheduler.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects descriptions of what is missing in an analysis, each once. Mutable, for one thread. */
final class Gaps {
    private final Set<String> all = new LinkedHashSet<>();
    private String prefix = "";

    /**
     * Sets the prefix of the gaps that are added from now on.
     *
     * @param place where results are missing: {@code changes}, or {@code before} or {@code after} with the name of a
     * part of the analysis; empty: no prefix
     */
    void setPlace(String place) {
        prefix = place.isEmpty() ? "" : place + ": ";
    }

    void add(String gap) {
        all.add(prefix + gap);
    }

    List<String> all() {
        return new ArrayList<>(all);
    }
}
