package io.berth.deploy.load.fleet;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The expected usage of each provider, which follows from the successful claims and releases so far. Not thread-safe:
 * callers use it on one thread at a time.
 */
public final class ExpectedUsage {
    private final Map<UUID, Map<String, Long>> used = new HashMap<>();
    private final Set<UUID> touched = new HashSet<>();

    /** Adds amounts, in units by resource class, after a successful claim. */
    public void take(UUID provider, Map<String, Integer> amounts) {
        add(provider, amounts, 1);
    }

    /** Subtracts amounts, in units by resource class, after a successful release. */
    public void giveBack(UUID provider, Map<String, Integer> amounts) {
        add(provider, amounts, -1);
    }

    private void add(UUID provider, Map<String, Integer> amounts, int sign) {
        touched.add(provider);
        Map<String, Long> row = used.computeIfAbsent(provider, _ -> new HashMap<>());
        amounts.forEach((resourceClass, amount) -> row.merge(resourceClass, (long) sign * amount, Long::sum));
    }

    /** Returns the expected usage; 0 for an unknown provider. */
    public long used(UUID provider, String resourceClass) {
        return used.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
    }

    /** Returns the providers whose usage changed since the last call. */
    public Set<UUID> takeTouched() {
        Set<UUID> since = Set.copyOf(touched);
        touched.clear();
        return since;
    }
}
