package io.berth.scheduler.placement;

import io.berth.scheduler.placement.ProviderSummary.Usage;
import jakarta.annotation.Nullable;

/**
 * How near placement's providers come to one amount that none of them has.
 *
 * @param providerUuid the one with most left
 * @param free capacity less use; negative where it is overcommitted
 */
public record Shortage(String providerUuid, String resourceClass, long needed, long free) {
    /**
     * @param demand a resource of a query as {@code resources=VCPU:200}, of any group
     * @param without what placement offers when nothing asks for it
     * @return null if the demand is no amount, nobody has the class, or somebody has enough, so that something else
     *     (a maximum per allocation, a step) is to blame
     */
    public static @Nullable Shortage of(String demand, AllocationCandidates without) {
        int name = demand.indexOf('=') + 1;
        int colon = demand.indexOf(':', name);
        if (!demand.startsWith("resources") || name == 0 || colon < 0) {
            return null;
        }
        String resourceClass = demand.substring(name, colon);
        long needed = Long.parseLong(demand.substring(colon + 1));
        Shortage nearest = null;
        for (ProviderSummary summary : without.summaries().values()) {
            Usage usage = summary.resources().get(resourceClass);
            if (usage != null && (nearest == null || usage.capacity() - usage.used() > nearest.free)) {
                nearest = new Shortage(summary.uuid(), resourceClass, needed, usage.capacity() - usage.used());
            }
        }
        return nearest == null || nearest.free >= needed ? null : nearest;
    }

    /** For humans: {@code needs 200 VCPU, the best provider has 4 free}. */
    public String render() {
        return "needs %d %s, the best provider has %d free".formatted(needed, resourceClass, free);
    }
}
