package io.berth.deploy.load.fleet;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The expected usage of each provider, which follows from the successful claims and releases so far. Not thread-safe.
 */
public final class ExpectedUsage {
    private final Map<UUID, Map<String, Long>> used = new HashMap<>();
    private final Set<UUID> changedProviders = new HashSet<>();

    /** Adds amounts, in units by resource class, after a successful claim. */
    public void addClaimed(UUID provider, Map<String, Integer> amounts) {
        add(provider, amounts, 1);
    }

    /** Subtracts amounts, in units by resource class, after a successful release. */
    public void subtractReleased(UUID provider, Map<String, Integer> amounts) {
        add(provider, amounts, -1);
    }

    private void add(UUID provider, Map<String, Integer> amounts, int sign) {
        changedProviders.add(provider);
        Map<String, Long> amountsByClass = used.computeIfAbsent(provider, _ -> new HashMap<>());
        amounts.forEach(
                (resourceClass, amount) -> amountsByClass.merge(resourceClass, (long) sign * amount, Long::sum));
    }

    /** Returns the expected usage, in units of the class; 0 for an unknown provider or class. */
    public long used(UUID provider, String resourceClass) {
        return used.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
    }

    /** Returns the providers for which amounts were added or subtracted since the last call. */
    public Set<UUID> takeChangedProviders() {
        Set<UUID> changed = Set.copyOf(changedProviders);
        changedProviders.clear();
        return changed;
    }
}
