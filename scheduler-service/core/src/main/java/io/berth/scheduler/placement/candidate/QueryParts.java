package io.berth.scheduler.placement.candidate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The amounts that each part of a query takes from one provider. With a provider for each part they make an
 * allocation request equal to the one that placement writes in full.
 */
public final class QueryParts {
    /** No parts, for responses that contain their requests in full. */
    static final QueryParts NONE = new QueryParts(List.of(), List.of());

    private final List<Part> parts;
    private final List<String> classes;
    /** The amounts of a provider that serves all parts. */
    private final Map<String, Long> all;

    /**
     * @param group suffix of its request group, "" for the unsuffixed one
     * @param resources resource class to amount; empty for a group without
     */
    public record Part(String group, Map<String, Long> resources) {}

    /**
     * @param parts those of the unsuffixed group first
     * @param classes every resource class of the parts, in the order in which an allocation lists them
     */
    public QueryParts(List<Part> parts, List<String> classes) {
        this.parts = List.copyOf(parts);
        this.classes = List.copyOf(classes);
        this.all = sum(parts);
    }

    /** Returns whether that part takes anything. */
    public boolean takes(int part) {
        return !parts.get(part).resources().isEmpty();
    }

    /** Returns the request in which one provider serves all parts. */
    public AllocationRequest of(String provider) {
        return new AllocationRequest(all.isEmpty() ? Map.of() : Map.of(provider, all), mappings(i -> provider));
    }

    /**
     * Returns the request in which these providers serve the parts.
     *
     * @param providers one for each part
     */
    public AllocationRequest of(String[] providers) {
        Map<String, List<Part>> byProvider = LinkedHashMap.newLinkedHashMap(2);
        for (int i = 0; i < providers.length; i++) {
            if (takes(i)) {
                byProvider.computeIfAbsent(providers[i], made -> new ArrayList<>(2)).add(parts.get(i));
            }
        }
        Map<String, Map<String, Long>> allocations = LinkedHashMap.newLinkedHashMap(byProvider.size());
        byProvider.forEach((provider, served) -> allocations.put(provider, sum(served)));
        return new AllocationRequest(allocations, mappings(i -> providers[i]));
    }

    private Map<String, Long> sum(List<Part> some) {
        Map<String, Long> amounts = LinkedHashMap.newLinkedHashMap(classes.size());
        for (String resourceClass : classes) {
            long amount = 0;
            for (Part part : some) {
                amount += part.resources().getOrDefault(resourceClass, 0L);
            }
            if (amount > 0) {
                amounts.put(resourceClass, amount);
            }
        }
        return Collections.unmodifiableMap(amounts);
    }

    private interface ProviderOf {
        String part(int part);
    }

    private Map<String, List<String>> mappings(ProviderOf providers) {
        Map<String, List<String>> mappings = LinkedHashMap.newLinkedHashMap(1);
        for (int i = 0; i < parts.size(); i++) {
            List<String> ofGroup = mappings.computeIfAbsent(parts.get(i).group(), made -> new ArrayList<>(1));
            if (!ofGroup.contains(providers.part(i))) {
                ofGroup.add(providers.part(i));
            }
        }
        return mappings;
    }
}
