package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.AllocationCandidates;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The last answer to a query, and what placement calls it. Each replica of placement knows only the answers that it gave
 * itself, so the last ones of others are held too: whichever is asked next tells what changed since its own.
 *
 * @param token opaque; the replica that gave it tells the next answer as what changed since this one
 * @param before answers whose tokens other replicas may know, the latest first; they hold none themselves
 */
public record HeldCandidates(String token, AllocationCandidates candidates, List<HeldCandidates> before) {
    /** Replicas that may take turns. Answers of one query share the trees that are alike. */
    static final int ANSWERS_MAX = 8;

    public HeldCandidates {
        Objects.requireNonNull(token, "token");
        Objects.requireNonNull(candidates, "candidates");
        before = List.copyOf(before);
    }

    HeldCandidates(String token, AllocationCandidates candidates) {
        this(token, candidates, List.of());
    }

    /** The latest first; they hold none before them. */
    public List<HeldCandidates> all() {
        List<HeldCandidates> all = new ArrayList<>(1 + before.size());
        all.add(new HeldCandidates(token, candidates));
        all.addAll(before);
        return all;
    }

    /** Trees of all answers. */
    int roots() {
        return candidates.roots().size() + before.stream().mapToInt(HeldCandidates::roots).sum();
    }
}
