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

/** One query of a what-if request. {@code at} is the query's position in the body, for error messages. */
sealed interface ScenarioQuery {
    /**
     * The response body of {@code GET /allocation_candidates} at 1.39.
     *
     * @param references true for the response body of {@code GET /berth/v1/candidates} instead
     */
    record Candidates(JsonAt at, CandidateQuery query, boolean references) implements ScenarioQuery {}

    /**
     * The response body of {@code GET /berth/v1/allocation_candidates/explanation}.
     *
     * @param counts what the explanation counts
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
     * The number of times that the query could be claimed in each tree.
     *
     * @param max the highest count of a tree, at which its count ends
     * @param roots uuids of providers whose trees are counted; null for all trees
     * @param allocations whether the response lists the allocations
     */
    record Fill(JsonAt at, CandidateQuery query, int max, @Nullable List<UUID> roots, boolean allocations)
            implements ScenarioQuery {}

    /** The content of the trees of these providers. */
    record Trees(JsonAt at, List<UUID> roots) implements ScenarioQuery {
        public Trees {
            roots = List.copyOf(roots);
        }
    }

    /**
     * The roots that satisfy all given conditions.
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
    static ScenarioQuery parse(JsonAt ask) {
        JsonAt what = ask.oneOf("candidates", "explanation", "fill", "trees", "roots");
        return switch (what.name()) {
            case "candidates" ->
                new Candidates(what, query(what.object("query", "references")), flag(what, "references", false));
            case "explanation" -> {
                what.object("query", "counts", "providers", "providers_limit", "relaxations");
                yield new Explained(
                        what, query(what), counts(what.find("counts")), uuids(what.find("providers"), PROVIDERS_MAX),
                        number(what, "providers_limit", 0, PROVIDERS_MAX, 0),
                        number(what, "relaxations", 0, RELAXATIONS_MAX, 0));
            }
            case "fill" -> {
                what.object("query", "max", "roots", "allocations");
                JsonAt roots = what.find("roots");
                yield new Fill(
                        what, query(what), number(what, "max", 1, FILL_MAX, FILL_DEFAULT),
                        roots == null ? null : uuids(roots, ROOTS_MAX), flag(what, "allocations", false));
            }
            case "roots" -> roots(what.object("names", "trait", "aggregate"));
            default -> new Trees(what, uuids(what.object("roots").get("roots"), ROOTS_MAX));
        };
    }

    private static ScenarioQuery roots(JsonAt what) {
        JsonAt names = what.find("names");
        JsonAt trait = what.find("trait");
        JsonAt aggregate = what.find("aggregate");
        return new Roots(
                what,
                names == null
                        ? null
                        : names.list(ROOTS_MAX).stream().map(name -> name.text(NAME_LENGTH_MAX))
                                .collect(Collectors.toSet()),
                trait == null ? null : trait.text(NAME_LENGTH_MAX),
                aggregate == null ? null : aggregate.uuid());
    }

    private static CandidateQuery query(JsonAt what) {
        JsonAt query = what.get("query");
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

    private static Explanation.Counts counts(@Nullable JsonAt named) {
        if (named == null) {
            return Explanation.Counts.DEMANDS;
        }
        return switch (named.text(NAME_LENGTH_MAX)) {
            case "demands" -> Explanation.Counts.DEMANDS;
            case "trees" -> Explanation.Counts.TREES;
            case "nothing" -> Explanation.Counts.NOTHING;
            default -> throw named.refused(named.excerpt() + " is not one of demands, trees, nothing");
        };
    }

    private static boolean flag(JsonAt what, String name, boolean otherwise) {
        JsonAt member = what.find(name);
        return member == null ? otherwise : member.flag();
    }

    private static int number(JsonAt what, String name, int least, int most, int otherwise) {
        JsonAt member = what.find(name);
        return member == null ? otherwise : (int) member.integer(least, most);
    }
}
