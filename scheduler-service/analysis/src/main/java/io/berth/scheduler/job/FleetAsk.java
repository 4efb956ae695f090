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

/** One of the queries that {@code POST /berth/v1/what_if} accepts. */
public sealed interface FleetAsk {
    /** Requests candidates. */
    record Candidates(String query) implements FleetAsk {
        /** Returns whether references to trees are worthwhile: one tree has few candidates. */
        boolean mayBeMany() {
            return !query.contains("in_tree=");
        }
    }

    /**
     * Counts how often the query's first candidate of each tree could be claimed, each tree by itself.
     *
     * @param max of one tree
     */
    record Fill(String query, long max) implements FleetAsk {}

    /** Returns one fill per query, in their order. */
    static List<FleetAsk> fills(HostSearch.Queries queries, long max) {
        return queries.all().stream().<FleetAsk>map(query -> new Fill(query, max)).toList();
    }

    /**
     * Explains why there are candidates, or none.
     *
     * @param cuts whether to report hosts that a limit cuts off, too, for which all trees are evaluated
     */
    record Explanation(String query, List<String> providers, boolean cuts) implements FleetAsk {}

    /** Counts the trees that each demand of a query leaves, and lists the obstacles of some of them. */
    record Demands(String query) implements FleetAsk {
        private static final int PROVIDERS_MAX = 20;
    }

    /** Requests whole provider trees. */
    record Trees(List<String> roots) implements FleetAsk {}

    /**
     * Lists the trees.
     *
     * @param names null: of whatever name; else of their roots
     * @param trait null: whatever they have; else one that any provider of the tree has
     * @param aggregate null: wherever they are; else one that the root is in
     */
    record Roots(@Nullable List<String> names, @Nullable String trait, @Nullable UUID aggregate) implements FleetAsk {}

    /**
     * Renders the body of queries about a fleet with these changes.
     *
     * @param view the fleet; null: the present one
     * @param keepSeconds for how long placement is to keep that fleet for further queries
     * @param after the known state of trees, so that many candidates are returned as references to them; empty: unknown
     */
    static byte[] render(
            @Nullable String view, long keepSeconds, ArrayNode changes, List<FleetUse> use, List<FleetAsk> asks,
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

    /** Opens the object of the query, and leaves it open. */
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
