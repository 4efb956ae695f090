package io.berth.scheduler.placement.candidate;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Placement's summary of one provider.
 *
 * @param uuid of the provider
 * @param rootUuid uuid of the root of its tree; equal to {@code uuid} for a root
 * @param resources resource class to capacity and use, for all classes of the provider
 * @param sharing whether the provider has the trait MISC_SHARES_VIA_AGGREGATE. Decisions read no other trait here
 */
public record ProviderSummary(String uuid, String rootUuid, Map<String, Usage> resources, boolean sharing) {
    public ProviderSummary {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(rootUuid, "rootUuid");
        Objects.requireNonNull(resources, "resources");
    }

    /** Returns the summary with these amounts added to the used ones. Ignores classes that the provider lacks. */
    public ProviderSummary chargedWith(Map<String, Long> amounts) {
        Map<String, Usage> charged = HashMap.newHashMap(resources.size());
        resources.forEach((name, usage) -> charged.put(
                name, new Usage(usage.capacity(), usage.used() + amounts.getOrDefault(name, 0L))));
        return new ProviderSummary(uuid, rootUuid, charged, sharing);
    }

    /** Returns whether these amounts fit in the unused capacity. Ignores classes that the provider lacks. */
    public boolean hasRoomFor(Map<String, Long> amounts) {
        for (Map.Entry<String, Long> amount : amounts.entrySet()) {
            Usage usage = resources.get(amount.getKey());
            if (usage != null && usage.used() + amount.getValue() > usage.capacity()) {
                return false;
            }
        }
        return true;
    }

    public boolean isRoot() {
        return uuid.equals(rootUuid);
    }

    /**
     * Amounts of one resource class.
     *
     * @param capacity (total - reserved) x allocation ratio, truncated
     */
    public record Usage(long capacity, long used) {}
}
