package io.berth.scheduler.placement.candidate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The parts of a query, each with the amounts that it takes from one provider. A numbered request group is one part;
 * the unnumbered group may have several, because several providers may serve it. Berth's Placement returns the parts
 * once per response, and for an allocation request only the provider of each part. This class makes the whole
 * allocation request from these providers.
 */
public final class QueryParts {
    /** No parts, for responses that contain their allocation requests in full. */
    static final QueryParts NONE = new QueryParts(List.of(), List.of());

    private final List<Part> parts;
    private final List<String> classes;
    /** Resource class to amount for a provider that serves all parts. */
    private final Map<String, Long> amountsOfAllParts;

    /**
     * One part of a query.
     *
     * @param group suffix of the request group, "" for the unnumbered group
     * @param resources resource class to amount; empty for a group without resources
     */
    public record Part(String group, Map<String, Long> resources) {}

    /**
     * @param parts those of the unnumbered group first
     * @param classes every resource class of the parts, in the order in which placement lists them in an allocation
     */
    public QueryParts(List<Part> parts, List<String> classes) {
        this.parts = List.copyOf(parts);
        this.classes = List.copyOf(classes);
        this.amountsOfAllParts = sum(parts);
    }

    /** Returns whether a part has any amounts. */
    public boolean hasAmounts(int part) {
        return !parts.get(part).resources().isEmpty();
    }

    /** Returns the allocation request in which one provider serves all parts. */
    public AllocationRequest of(String provider) {
        return new AllocationRequest(
                amountsOfAllParts.isEmpty() ? Map.of() : Map.of(provider, amountsOfAllParts), mappings(i -> provider));
    }

    /**
     * Returns the allocation request in which the given providers serve the parts.
     *
     * @param providers uuids, one for each part, in the order of the parts
     */
    public AllocationRequest of(String[] providers) {
        Map<String, List<Part>> byProvider = LinkedHashMap.newLinkedHashMap(2);
        for (int i = 0; i < providers.length; i++) {
            if (hasAmounts(i)) {
                byProvider.computeIfAbsent(providers[i], _ -> new ArrayList<>(2)).add(parts.get(i));
            }
        }
        Map<String, Map<String, Long>> allocations = LinkedHashMap.newLinkedHashMap(byProvider.size());
        byProvider.forEach((provider, served) -> allocations.put(provider, sum(served)));
        return new AllocationRequest(allocations, mappings(i -> providers[i]));
    }

    private Map<String, Long> sum(List<Part> summedParts) {
        Map<String, Long> amounts = LinkedHashMap.newLinkedHashMap(classes.size());
        for (String resourceClass : classes) {
            long amount = 0;
            for (Part part : summedParts) {
                amount += part.resources().getOrDefault(resourceClass, 0L);
            }
            if (amount > 0) {
                amounts.put(resourceClass, amount);
            }
        }
        return Collections.unmodifiableMap(amounts);
    }

    private interface ProviderByPart {
        String get(int part);
    }

    private Map<String, List<String>> mappings(ProviderByPart providers) {
        Map<String, List<String>> mappings = LinkedHashMap.newLinkedHashMap(1);
        for (int i = 0; i < parts.size(); i++) {
            List<String> ofGroup = mappings.computeIfAbsent(parts.get(i).group(), _ -> new ArrayList<>(1));
            if (!ofGroup.contains(providers.get(i))) {
                ofGroup.add(providers.get(i));
            }
        }
        return mappings;
    }
}
