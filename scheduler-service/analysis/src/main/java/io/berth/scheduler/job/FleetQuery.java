package io.berth.scheduler.job;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.berth.json.JsonLists;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.search.HostSearch;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/**
 * A query in {@code POST /berth/v1/what_if} of placement, which evaluates queries on the present fleet, or on a fleet
 * with changes that are not made.
 */
public sealed interface FleetQuery {
    /**
     * Requests allocation candidates.
     *
     * @param query the query string of {@code GET /allocation_candidates}
     */
    record Candidates(String query) implements FleetQuery {
        /**
         * Returns whether the response may be large, so that references to trees that the scheduler knows shorten it.
         * The candidates of a query of one tree are not requested as references.
         */
        boolean mayReturnReferences() {
            return !query.contains("in_tree=");
        }
    }

    /**
     * Counts how often the query's first candidate in each tree could be claimed, independently of the other trees. The
     * result is {@link FillCounts}.
     *
     * @param query the query string of {@code GET /allocation_candidates}
     * @param max the number of claims at which the evaluation of a tree stops
     */
    record Fill(String query, long max) implements FleetQuery {}

    /** Returns a fill for the query, and one for the fallback query if there is one, in this order. */
    static List<FleetQuery> fills(HostSearch.Queries queries, long max) {
        return queries.all().stream().<FleetQuery>map(query -> new Fill(query, max)).toList();
    }

    /**
     * Explains which obstacles keep providers from being candidates of a query.
     *
     * @param query the query string of {@code GET /allocation_candidates}
     * @param providers uuids of the providers to explain
     * @param cuts whether to report also which of the providers the query's limit cuts off. Placement evaluates all
     * trees for this
     */
    record Explanation(String query, List<String> providers, boolean cuts) implements FleetQuery {}

    /**
     * Counts, for each demand of a query, how many trees satisfy it and all demands before it. Also lists the obstacles
     * of the {@value #PROVIDERS_MAX} trees that are nearest to being a candidate.
     *
     * @param query the query string of {@code GET /allocation_candidates}
     */
    record Demands(String query) implements FleetQuery {
        private static final int PROVIDERS_MAX = 20;
    }

    /**
     * Requests whole provider trees. Placement refuses the request (404) if a provider does not exist; a tree that the
     * changes remove is only missing in the result.
     *
     * @param roots uuids of the root providers
     */
    record Trees(List<String> roots) implements FleetQuery {}

    /**
     * Lists the trees that meet all conditions. The result has in {@code roots} the uuids of their roots, in
     * {@code names} the roots' names, and in {@code sharing} the indexes of the roots that share their resources with
     * other trees.
     *
     * @param names names of roots; null: any name
     * @param trait trait that a provider of the tree must have; null: no condition
     * @param aggregate uuid of a placement aggregate that the root must be in; null: no condition
     */
    record Roots(@Nullable List<String> names, @Nullable String trait, @Nullable UUID aggregate)
            implements FleetQuery {}

    /**
     * Renders the body of a request with queries about a fleet with changes. The changes may be empty.
     *
     * @param view the kept fleet to which the changes apply, as REPLICA.VERSION; null: the present fleet
     * @param keepSeconds for how long placement keeps the fleet for further requests
     * @param changes changes in placement's format
     * @param use changes of used amounts, which apply after {@code changes}
     * @param after for each replica of placement, as REPLICA.POSITION, the position up to which the scheduler knows its
     * trees. Placement then returns references to these trees instead of the trees. Empty: no tree is known
     */
    static byte[] render(
            @Nullable String view, long keepSeconds, ArrayNode changes, List<FleetUse> use, List<FleetQuery> asks,
            List<String> after, long timeoutSeconds) {
        return WrittenJson.objectBytes(json -> {
            json.writeNumberField("timeout_s", timeoutSeconds);
            json.writeNumberField("keep_s", keepSeconds);
            WrittenJson.writeIfAny(json, "view", view);
            if (!after.isEmpty()) {
                JsonLists.writeTexts(json, "after", after);
            }
            json.writeArrayFieldStart("changes");
            for (var change : changes) {
                json.writeTree(change);
            }
            for (FleetUse each : use) {
                json.writeTree(each.change());
            }
            json.writeEndArray();
            JsonLists.writeObjects(json, "asks", asks, ask -> {
                ask.write(json, !after.isEmpty());
                json.writeEndObject();
            });
        });
    }

    /** Writes the object of this query, except its end, into the open object. */
    private void write(JsonGenerator json, boolean treesAreKnown) throws IOException {
        switch (this) {
            case Candidates candidates -> {
                json.writeObjectFieldStart("candidates");
                json.writeStringField("query", candidates.query());
                if (treesAreKnown && candidates.mayReturnReferences()) {
                    json.writeBooleanField("references", true);
                }
            }
            case Fill(String query, long max) -> {
                json.writeObjectFieldStart("fill");
                json.writeStringField("query", query);
                json.writeNumberField("max", max);
            }
            case Explanation(String query, List<String> providers, boolean cuts) -> {
                json.writeObjectFieldStart("explanation");
                json.writeStringField("query", query);
                json.writeStringField("counts", cuts ? "trees" : "nothing");
                JsonLists.writeTexts(json, "providers", providers);
            }
            case Demands(String query) -> {
                json.writeObjectFieldStart("explanation");
                json.writeStringField("query", query);
                json.writeStringField("counts", "demands");
                json.writeNumberField("providers_limit", Demands.PROVIDERS_MAX);
            }
            case Trees(List<String> roots) -> {
                json.writeObjectFieldStart("trees");
                JsonLists.writeTexts(json, "roots", roots);
            }
            case Roots(List<String> names, String trait, UUID aggregate) -> {
                json.writeObjectFieldStart("roots");
                if (names != null) {
                    JsonLists.writeTexts(json, "names", names);
                }
                WrittenJson.writeIfAny(json, "trait", trait);
                if (aggregate != null) {
                    json.writeStringField("aggregate", aggregate.toString());
                }
            }
        }
    }
}
