package io.berth.deploy.steady;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The consumers that must hold allocations according to a journal of claims and releases, and the consumers that must
 * not. A consumer is in neither set if it is unknown whether its requests had an effect. No I/O.
 */
final class Expectation {
    private final Set<UUID> journalConsumers = new HashSet<>();
    private final Set<UUID> required = new HashSet<>();
    private final Set<UUID> forbidden = new HashSet<>();

    private Expectation() {}

    /**
     * Returns the expectation for a state that was taken at an unknown time between {@code fromMs} and {@code untilMs}
     * (milliseconds since the epoch). The state contains each request that got its response before {@code fromMs}, and
     * no request that was sent after {@code untilMs}.
     */
    static Expectation at(Collection<Entry> journal, long fromMs, long untilMs) {
        var expectation = new Expectation();
        Map<UUID, List<Entry>> byConsumer = new HashMap<>();
        journal.forEach(entry -> byConsumer.computeIfAbsent(entry.consumer(), _ -> new ArrayList<>()).add(entry));
        expectation.journalConsumers.addAll(byConsumer.keySet());
        byConsumer.forEach((consumer, entries) -> {
            boolean isClaimed = false;
            boolean isReleased = false;
            boolean mayBeClaimed = false;
            boolean mayBeReleased = false;
            for (Entry entry : entries) {
                boolean isContained = entry.answeredMs() < fromMs;
                boolean mayBeContained = entry.sentMs() <= untilMs;
                switch (entry.kind()) {
                    case CLAIMED -> {
                        isClaimed |= isContained;
                        mayBeClaimed |= mayBeContained;
                    }
                    case CLAIM_UNKNOWN -> mayBeClaimed |= mayBeContained;
                    case RELEASED -> {
                        isReleased |= isContained;
                        mayBeReleased |= mayBeContained;
                    }
                    case RELEASE_UNKNOWN -> mayBeReleased |= mayBeContained;
                }
            }
            if (isClaimed && !mayBeReleased) {
                expectation.required.add(consumer);
            }
            if (isReleased || !mayBeClaimed) {
                expectation.forbidden.add(consumer);
            }
        });
        return expectation;
    }

    /** Returns the expectation for the state after all requests of the journal have ended. */
    static Expectation atTheEnd(Collection<Entry> journal) {
        return at(journal, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /**
     * Returns one line for each consumer that lost its allocations, and for each that has some and must not. A consumer
     * that is not in the journal must not have any.
     *
     * @param found all consumers that hold allocations on the hosts of the claims
     */
    List<String> offences(Set<UUID> found) {
        List<String> offences = new ArrayList<>();
        required.stream().filter(consumer -> !found.contains(consumer)).forEach(
                consumer -> offences.add("lost: " + consumer + " was acknowledged"));
        found.stream().filter(consumer -> forbidden.contains(consumer) || !journalConsumers.contains(consumer)).forEach(
                consumer -> offences.add("should not be there: " + consumer));
        return offences;
    }

    /** Returns the number of consumers that must hold allocations. */
    int requiredCount() {
        return required.size();
    }

    /** Returns the number of consumers that must not hold allocations. */
    int forbiddenCount() {
        return forbidden.size();
    }
}
