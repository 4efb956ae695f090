package io.berth.scheduler.placement.candidate;

import io.berth.scheduler.request.query.QueryConstruction;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Emulates the query parameter {@link QueryConstruction#WITHOUT_INVENTORY}, which excludes trees with inventory of
 * certain resource classes, for a Placement that lacks it: strips the parameter from the query, and drops those trees
 * from the response. Pure.
 *
 * @param query the query string without the parameter
 * @param classes resource classes that no provider of a tree may have; empty if the query did not have the parameter
 */
public record WithoutInventory(String query, List<String> classes) {
    private static final Pattern WITHOUT =
            Pattern.compile("(?:^|&)" + QueryConstruction.WITHOUT_INVENTORY + "=([^&]*)");
    private static final Pattern LIMIT = Pattern.compile("(?:^|&)limit=([0-9]+)");

    public WithoutInventory {
        classes = List.copyOf(classes);
    }

    /** Splits the parameter from a query string, if the query string has it. */
    public static WithoutInventory of(String query) {
        Matcher found = WITHOUT.matcher(query);
        return found.find()
                ? new WithoutInventory(
                        strip(query, found),
                        List.of(URLDecoder.decode(found.group(1), StandardCharsets.UTF_8).split(",")))
                : new WithoutInventory(query, List.of());
    }

    private static String strip(String query, Matcher parameter) {
        String rest = query.substring(0, parameter.start()) + query.substring(parameter.end());
        return rest.startsWith("&") ? rest.substring(1) : rest;
    }

    /** Returns the response without the trees that have one of the classes; the same object if no tree has one. */
    public AllocationCandidates withoutExcludedTrees(AllocationCandidates response) {
        int[] dropped = IntStream.range(0, response.treeCount()).filter(i -> hasAny(response.tree(i))).toArray();
        return dropped.length == 0 ? response : response.with(dropped, _ -> null);
    }

    private boolean hasAny(ProviderTree tree) {
        for (ProviderSummary provider : tree.summaries()) {
            Map<String, ProviderSummary.Usage> resources = provider.resources();
            if (classes.stream().anyMatch(resources::containsKey)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns whether the query must be repeated without its limit: the response has reached the limit, and some of its
     * trees are dropped, so that the limit may have cut off trees that would not be dropped.
     */
    public boolean isCutShort(AllocationCandidates response) {
        Matcher limit = LIMIT.matcher(query);
        return !classes.isEmpty()
                && limit.find()
                && response.requests().size() >= Long.parseLong(limit.group(1))
                && withoutExcludedTrees(response) != response;
    }

    /** Returns a copy without the query parameter {@code limit}; this object if the query does not have it. */
    public WithoutInventory withoutLimit() {
        Matcher limit = LIMIT.matcher(query);
        return limit.find() ? new WithoutInventory(strip(query, limit), classes) : this;
    }
}
