package io.berth.scheduler.request.query;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A request group while the query is built. Mutable; used only by {@link GroupDrafts} and its callers. */
final class GroupDraft {
    final Map<String, Long> resources = new TreeMap<>();
    final Set<String> requiredTraits = new TreeSet<>();
    final Set<String> forbiddenTraits = new TreeSet<>();
    /** Uuids of aggregates; the provider must be in at least one aggregate of each set. */
    final List<Set<String>> memberOf = new ArrayList<>();
    /** Uuids of aggregates in which the provider must not be. */
    final Set<String> notMemberOf = new TreeSet<>();
    /** Uuid of a provider in whose tree the group's provider must be; null for any tree. */
    @Nullable String inTree;

    /** Returns whether the group demands nothing. {@link #inTree} alone does not count as a demand. */
    boolean isEmpty() {
        return resources.isEmpty()
                && requiredTraits.isEmpty()
                && forbiddenTraits.isEmpty()
                && memberOf.isEmpty()
                && notMemberOf.isEmpty();
    }

    /**
     * Appends the parameters of this group to the list; as in nova, {@code resources} even if the group requests none.
     *
     * @param suffix empty for the unsuffixed group
     */
    void render(String suffix, List<QueryParameter> parameters) {
        List<String> amounts = new ArrayList<>();
        resources.forEach((name, amount) -> amounts.add(name + ":" + amount));
        amounts.sort(null);
        parameters.add(new QueryParameter("resources" + suffix, String.join(",", amounts)));
        String traits = renderTraits(requiredTraits, forbiddenTraits);
        if (!traits.isEmpty()) {
            parameters.add(new QueryParameter("required" + suffix, traits));
        }
        for (Set<String> oneOf : memberOf) {
            parameters.add(new QueryParameter("member_of" + suffix, "in:" + String.join(",", new TreeSet<>(oneOf))));
        }
        if (inTree != null) {
            parameters.add(new QueryParameter("in_tree" + suffix, inTree));
        }
        if (!notMemberOf.isEmpty()) {
            parameters.add(new QueryParameter("member_of" + suffix, "!in:" + String.join(",", notMemberOf)));
        }
    }

    /**
     * Returns the required traits in ascending order, then the forbidden ones in ascending order with the prefix {@code
     * !}, separated by commas.
     */
    static String renderTraits(Set<String> required, Set<String> forbidden) {
        List<String> words = new ArrayList<>(new TreeSet<>(required));
        new TreeSet<>(forbidden).forEach(trait -> words.add("!" + trait));
        return String.join(",", words);
    }
}
