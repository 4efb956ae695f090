package io.berth.scheduler.placement.candidate;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Placement's summary of one provider in a candidate's tree.
 *
 * @param uuid the provider
 * @param rootUuid the root of its tree, its own uuid for a root
 * @param resources resource class to capacity and use, all classes of the provider
 * @param sharing whether it carries MISC_SHARES_VIA_AGGREGATE, the one trait decisions read here
 */
public record ProviderSummary(String uuid, String rootUuid, Map<String, Usage> resources, boolean sharing) {
    public ProviderSummary {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(rootUuid, "rootUuid");
        Objects.requireNonNull(resources, "resources");
    }

    /** Returns the summary with these amounts used in addition, for classes that it has. */
    public ProviderSummary chargedWith(Map<String, Long> amounts) {
        Map<String, Usage> charged = HashMap.newHashMap(resources.size());
        resources.forEach((name, usage) -> charged.put(
                name, new Usage(usage.capacity(), usage.used() + amounts.getOrDefault(name, 0L))));
        return new ProviderSummary(uuid, rootUuid, charged, sharing);
    }

    /** Returns whether these amounts fit in addition to the used ones, for classes that it has. */
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

    /** Amounts of one resource class; capacity is (total - reserved) x allocation ratio, truncated. */
    public record Usage(long capacity, long used) {}
}
