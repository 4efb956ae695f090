package io.berth.placement.candidate.scenario;

import io.berth.placement.candidate.explanation.Explanation;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.QueryString;
import io.berth.placement.query.JsonAt;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * One query of a what-if request ({@code asks} in its body). {@code at} is the query's position in the body, for error
 * messages.
 */
sealed interface ScenarioQuery {
    /**
     * Requests the response body of {@code GET /allocation_candidates} at microversion 1.39.
     *
     * @param references true for the response body of {@code GET /berth/v1/candidates} instead
     */
    record Candidates(JsonAt at, CandidateQuery query, boolean references) implements ScenarioQuery {}

    /**
     * Requests the response body of {@code GET /berth/v1/allocation_candidates/explanation}.
     *
     * @param providers uuids of providers whose trees are explained, at most {@value ScenarioQuery#PROVIDERS_MAX}; if
     *         empty, the trees nearest to being a candidate are explained
     * @param providersLimit the most trees to explain if {@code providers} is empty
     * @param relaxations the most relaxations, which are sets of demands to drop for more candidates, 0 to {@value
     *         ScenarioQuery#RELAXATIONS_MAX}
     */
    record Explained(
            JsonAt at, CandidateQuery query, Explanation.Counts counts, List<UUID> providers, int providersLimit,
            int relaxations)
            implements ScenarioQuery {
        public Explained {
            providers = List.copyOf(providers);
        }
    }

    /**
     * Counts how many times the query could be claimed in each tree.
     *
     * @param max the count at which the counting of a tree ends, 1 to {@value ScenarioQuery#FILL_MAX}
     * @param roots uuids of providers whose trees are counted; null for all trees
     * @param allocations whether the response lists the allocations of the counted claims
     */
    record Fill(JsonAt at, CandidateQuery query, int max, @Nullable List<UUID> roots, boolean allocations)
            implements ScenarioQuery {}

    /** Requests the content of the trees of these providers. */
    record Trees(JsonAt at, List<UUID> roots) implements ScenarioQuery {
        public Trees {
            roots = List.copyOf(roots);
        }
    }

    /**
     * Requests the uuids and names of the roots that satisfy all conditions.
     *
     * @param names names of roots; null for any
     * @param trait a trait that a provider of the tree has; null for any
     * @param aggregate an aggregate of the root; null for any
     */
    record Roots(JsonAt at, @Nullable Set<String> names, @Nullable String trait, @Nullable UUID aggregate)
            implements ScenarioQuery {}

    /** The most providers of an explanation. */
    int PROVIDERS_MAX = 1_000;
    /** The longest name of a root, trait or level of detail, in characters. */
    int NAME_LENGTH_MAX = 255;
    /** The most uuids or names in one list of trees. */
    int ROOTS_MAX = 100_000;
    /** The most relaxations of an explanation. */
    int RELAXATIONS_MAX = 5;
    /** The highest value of {@link Fill#max}. */
    int FILL_MAX = 1_000_000;
    /** The value of {@link Fill#max} if the body has none. */
    int FILL_DEFAULT = 100_000;
    /** The longest query string, in characters. */
    int QUERY_LENGTH_MAX = 65_536;

    JsonAt at();

    /**
     * Parses one query of the body.
     *
     * @throws ApiException 400 for an invalid value, 413 for a list with too many elements; the message contains the
     *         path of the value
     */
    static ScenarioQuery parse(JsonAt query) {
        JsonAt content = query.onlyMember("candidates", "explanation", "fill", "trees", "roots");
        return switch (content.name()) {
            case "candidates" ->
                new Candidates(content, query(content.object("query", "references")),
                        flag(content, "references", false));
            case "explanation" -> {
                content.object("query", "counts", "providers", "providers_limit", "relaxations");
                yield new Explained(
                        content, query(content), counts(content.find("counts")),
                        uuids(content.find("providers"), PROVIDERS_MAX),
                        number(content, "providers_limit", 0, PROVIDERS_MAX, 0),
                        number(content, "relaxations", 0, RELAXATIONS_MAX, 0));
            }
            case "fill" -> {
                content.object("query", "max", "roots", "allocations");
                JsonAt roots = content.find("roots");
                yield new Fill(
                        content, query(content), number(content, "max", 1, FILL_MAX, FILL_DEFAULT),
                        roots == null ? null : uuids(roots, ROOTS_MAX), flag(content, "allocations", false));
            }
            case "roots" -> roots(content.object("names", "trait", "aggregate"));
            default -> new Trees(content, uuids(content.object("roots").get("roots"), ROOTS_MAX));
        };
    }

    private static ScenarioQuery roots(JsonAt content) {
        JsonAt names = content.find("names");
        JsonAt trait = content.find("trait");
        JsonAt aggregate = content.find("aggregate");
        return new Roots(
                content,
                names == null
                        ? null
                        : names.list(ROOTS_MAX).stream().map(name -> name.text(NAME_LENGTH_MAX))
                                .collect(Collectors.toSet()),
                trait == null ? null : trait.text(NAME_LENGTH_MAX),
                aggregate == null ? null : aggregate.uuid());
    }

    private static CandidateQuery query(JsonAt content) {
        JsonAt query = content.get("query");
        String text = query.text(QUERY_LENGTH_MAX);
        try {
            return CandidateQueryParser.parseOwn(
                    QueryString.parse(text.startsWith("?") ? text.substring(1) : text));
        } catch (ApiException refused) {
            throw query.refused(refused);
        }
    }

    private static List<UUID> uuids(@Nullable JsonAt list, int max) {
        return list == null ? List.of() : list.list(max).stream().map(JsonAt::uuid).toList();
    }

    private static Explanation.Counts counts(@Nullable JsonAt name) {
        if (name == null) {
            return Explanation.Counts.DEMANDS;
        }
        return switch (name.text(NAME_LENGTH_MAX)) {
            case "demands" -> Explanation.Counts.DEMANDS;
            case "trees" -> Explanation.Counts.TREES;
            case "nothing" -> Explanation.Counts.NOTHING;
            default -> throw name.refused(name.excerpt() + " is not one of demands, trees, nothing");
        };
    }

    private static boolean flag(JsonAt content, String name, boolean defaultValue) {
        JsonAt member = content.find(name);
        return member == null ? defaultValue : member.flag();
    }

    private static int number(JsonAt content, String name, int min, int max, int defaultValue) {
        JsonAt member = content.find(name);
        return member == null ? defaultValue : (int) member.integer(min, max);
    }
}
