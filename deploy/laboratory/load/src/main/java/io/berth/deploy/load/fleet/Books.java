package io.berth.deploy.load.fleet;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** The expected use of each provider, by the responses seen so far. For one thread at a time. */
public final class Books {
    private final Map<UUID, Map<String, Long>> used = new HashMap<>();
    private final Set<UUID> touched = new HashSet<>();

    public void take(UUID provider, Map<String, Integer> amounts) {
        add(provider, amounts, 1);
    }

    public void giveBack(UUID provider, Map<String, Integer> amounts) {
        add(provider, amounts, -1);
    }

    private void add(UUID provider, Map<String, Integer> amounts, int sign) {
        touched.add(provider);
        Map<String, Long> row = used.computeIfAbsent(provider, _ -> new HashMap<>());
        amounts.forEach((resourceClass, amount) -> row.merge(resourceClass, (long) sign * amount, Long::sum));
    }

    public long used(UUID provider, String resourceClass) {
        return used.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
    }

    /** Providers whose use changed since the last call. */
    public Set<UUID> takeTouched() {
        Set<UUID> since = Set.copyOf(touched);
        touched.clear();
        return since;
    }
}
