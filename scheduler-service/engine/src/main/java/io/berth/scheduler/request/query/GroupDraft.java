package io.berth.scheduler.request.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** One request group while the query is built. Mutable; only {@link GroupDrafts} and its callers use it. */
final class GroupDraft {
    final Map<String, Long> resources = new TreeMap<>();
    final Set<String> requiredTraits = new TreeSet<>();
    final Set<String> forbiddenTraits = new TreeSet<>();
    final List<Set<String>> memberOf = new ArrayList<>();
    final Set<String> notMemberOf = new TreeSet<>();
    String inTree;

    boolean isEmpty() {
        return resources.isEmpty()
                && requiredTraits.isEmpty()
                && forbiddenTraits.isEmpty()
                && memberOf.isEmpty()
                && notMemberOf.isEmpty();
    }

    /** Appends this group's parameters; the suffix is empty for the unsuffixed group. */
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

    /** Lists the required traits sorted, then the forbidden ones sorted and prefixed with {@code !}. */
    static String renderTraits(Set<String> required, Set<String> forbidden) {
        List<String> words = new ArrayList<>(new TreeSet<>(required));
        new TreeSet<>(forbidden).forEach(trait -> words.add("!" + trait));
        return String.join(",", words);
    }
}
