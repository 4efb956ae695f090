package io.berth.scheduler.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects the parts of an analysis that are missing or incomplete. Mutable, for one thread. */
final class Gaps {
    private final Set<String> all = new LinkedHashSet<>();
    private String where = "";

    /** @param place to which the following gaps belong */
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
