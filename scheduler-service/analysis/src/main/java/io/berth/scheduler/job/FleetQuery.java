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

/** A query in {@code POST /berth/v1/what_if} of placement. */
public sealed interface FleetQuery {
    /**
     * Requests allocation candidates.
     *
     * @param query the query string of {@code GET /allocation_candidates}
     */
    record Candidates(String query) implements FleetQuery {
        /**
         * Returns whether references to known trees would shorten the response. A query of one tree has few candidates.
         */
        boolean mayBeMany() {
            return !query.contains("in_tree=");
        }
    }

    /**
     * Counts how often the query's first candidate of each tree could be claimed, independently of the other trees.
     *
     * @param max the count at which the evaluation of a tree stops
     */
    record Fill(String query, long max) implements FleetQuery {}

    /** Returns a fill for each of the queries, in their order. */
    static List<FleetQuery> fills(HostSearch.Queries queries, long max) {
        return queries.all().stream().<FleetQuery>map(query -> new Fill(query, max)).toList();
    }

    /**
     * Explains for some providers which obstacles keep them from being candidates.
     *
     * @param providers uuids of these providers
     * @param cuts whether to report also which of them the query's limit cuts off, for which placement evaluates all
     * trees
     */
    record Explanation(String query, List<String> providers, boolean cuts) implements FleetQuery {}

    /**
     * Counts the trees that each demand of a query leaves, and lists the obstacles of up to {@value #PROVIDERS_MAX}
     * providers.
     */
    record Demands(String query) implements FleetQuery {
        private static final int PROVIDERS_MAX = 20;
    }

    /**
     * Requests whole provider trees.
     *
     * @param roots uuids
     */
    record Trees(List<String> roots) implements FleetQuery {}

    /**
     * Lists the trees that meet all of these conditions.
     *
     * @param names names of their roots; null: any
     * @param trait trait of any provider of the tree; null: any
     * @param aggregate uuid of a placement aggregate of the root; null: any
     */
    record Roots(@Nullable List<String> names, @Nullable String trait, @Nullable UUID aggregate)
            implements FleetQuery {}

    /**
     * Renders the body of a request with queries about a fleet with changes.
     *
     * @param view the fleet that placement keeps, as REPLICA.VERSION; null: the present one
     * @param keepSeconds for how long placement keeps the fleet for further requests
     * @param use further changes, of used amounts
     * @param after up to where the trees of each replica are known, so that placement returns references to known
     * trees; empty: no tree is known
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

    /** Writes the object of this query without its end. */
    private void write(JsonGenerator json, boolean treesAreKnown) throws IOException {
        switch (this) {
            case Candidates candidates -> {
                json.writeObjectFieldStart("candidates");
                json.writeStringField("query", candidates.query());
                if (treesAreKnown && candidates.mayBeMany()) {
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
