package io.berth.deploy.steady;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The claims that must be in the books according to a journal, and those that must not. Pure. */
final class Expectation {
    private final Set<UUID> known = new HashSet<>();
    private final Set<UUID> there = new HashSet<>();
    private final Set<UUID> gone = new HashSet<>();

    private Expectation() {}

    /**
     * Returns the expectation for some moment between the two, both since the epoch: everything answered before the
     * first has happened, nothing sent after the second has.
     */
    static Expectation at(Collection<Entry> journal, long fromMs, long untilMs) {
        var expectation = new Expectation();
        Map<UUID, List<Entry>> byConsumer = new HashMap<>();
        journal.forEach(entry -> byConsumer.computeIfAbsent(entry.consumer(), _ -> new ArrayList<>()).add(entry));
        expectation.known.addAll(byConsumer.keySet());
        byConsumer.forEach((consumer, entries) -> {
            boolean isClaimed = false;
            boolean isReleased = false;
            boolean mayBeClaimed = false;
            boolean mayBeReleased = false;
            for (Entry entry : entries) {
                boolean before = entry.answeredMs() < fromMs;
                boolean maybe = entry.sentMs() <= untilMs;
                switch (entry.kind()) {
                    case CLAIMED -> {
                        isClaimed |= before;
                        mayBeClaimed |= maybe;
                    }
                    case CLAIM_UNKNOWN -> mayBeClaimed |= maybe;
                    case RELEASED -> {
                        isReleased |= before;
                        mayBeReleased |= maybe;
                    }
                    case RELEASE_UNKNOWN -> mayBeReleased |= maybe;
                }
            }
            if (isClaimed && !mayBeReleased) {
                expectation.there.add(consumer);
            }
            if (isReleased || !mayBeClaimed) {
                expectation.gone.add(consumer);
            }
        });
        return expectation;
    }

    /** Returns the expectation for the end, when no request is in flight. */
    static Expectation atTheEnd(Collection<Entry> journal) {
        return at(journal, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * Returns a line per consumer that is lost or should not be there.
     *
     * @param found all consumers that hold something of the journal's hosts
     */
    List<String> offences(Set<UUID> found) {
        List<String> offences = new ArrayList<>();
        there.stream().filter(consumer -> !found.contains(consumer)).forEach(
                consumer -> offences.add("lost: " + consumer + " was acknowledged"));
        found.stream().filter(consumer -> gone.contains(consumer) || !known.contains(consumer)).forEach(
                consumer -> offences.add("should not be there: " + consumer));
        return offences;
    }

    /** Returns the number of consumers that must be there. */
    int thereCount() {
        return there.size();
    }

    int goneCount() {
        return gone.size();
    }
}
