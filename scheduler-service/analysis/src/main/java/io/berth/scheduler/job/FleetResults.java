package io.berth.scheduler.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.FleetPosition;
import io.berth.scheduler.placement.feed.CandidatesParser;
import io.berth.scheduler.placement.feed.ReceivedTree;
import io.berth.scheduler.placement.feed.References;
import io.berth.scheduler.placement.feed.ReferencesParser;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The response of {@code POST /berth/v1/what_if} of placement: one result per {@link FleetQuery} of the request, all
 * for one state of the fleet.
 */
public final class FleetResults {
    private static final ObjectMapper TREES = new ObjectMapper(JsonFactory.builder()
            // Field names are uuids in these responses. There are too many to intern, and many of them may share a hash
            // bucket.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .build());

    private String replica = "";
    private long fleetVersion;
    private List<String> gaps = List.of();
    /** Uuids of root providers, to whose indexes the results of fills refer. */
    private List<String> roots = List.of();
    /** Trees that changed since the position that the request named for this replica. */
    private List<ReceivedTree> changed = List.of();
    /**
     * One result per query, in the order of the queries: FillCounts, AllocationCandidates, References (to known trees)
     * or JsonNode, depending on the kind of query; null: the time was up before the query was evaluated.
     */
    private final List<Object> results = new ArrayList<>();

    private final boolean treesAreKnown;

    private FleetResults(boolean treesAreKnown) {
        this.treesAreKnown = treesAreKnown;
    }

    /**
     * Parses a response of {@code POST /berth/v1/what_if}. Throws ApiFault (503) for any other body.
     *
     * @param asks the queries of the request, in their order
     * @param treesAreKnown whether the request named the positions up to which the scheduler knows placement's trees.
     * Candidates may then be references to these trees; {@link #resolve} replaces them
     */
    public static FleetResults parse(byte[] body, List<FleetQuery> asks, boolean treesAreKnown) {
        try (JsonParser json = TREES.createParser(body)) {
            FleetResults read = new FleetResults(treesAreKnown);
            read.read(json, asks);
            if (read.results.size() == asks.size()) {
                return read;
            }
        } catch (IOException unreadable) {
            // Falls through to the same error as a wrong number of results.
        }
        throw ApiFault.placementAway("unreadable response");
    }

    String replica() {
        return replica;
    }

    long fleetVersion() {
        return fleetVersion;
    }

    /** Returns descriptions of what is incomplete in the results; empty if they are complete. */
    public List<String> gaps() {
        return gaps;
    }

    /** Returns the uuids of the root providers for which any {@link FleetQuery.Fill} of the request has a result. */
    public List<String> roots() {
        return roots;
    }

    /**
     * Returns the result of a {@link FleetQuery.Fill}; null if the time was up before the query.
     *
     * @param ask index of the query
     */
    public @Nullable FillCounts fill(int ask) {
        return (FillCounts) results.get(ask);
    }

    /**
     * Returns the result of {@link FleetQuery.Candidates}; null if the time was up before the query.
     *
     * @param ask index of the query
     */
    public @Nullable AllocationCandidates candidates(int ask) {
        return (AllocationCandidates) results.get(ask);
    }

    /** Returns the trees that changed since the position that the request named for this replica. */
    ReferencesParser.Trees changed() {
        return new ReferencesParser.Trees(new FleetPosition(replica, fleetVersion), changed);
    }

    /**
     * Replaces results that refer to known trees by candidates.
     *
     * @param lookup returns the candidates; null if a referenced tree is unknown
     * @return false if a referenced tree is unknown
     */
    boolean resolve(Function<References, AllocationCandidates> lookup) {
        for (int i = 0; i < results.size(); i++) {
            if (results.get(i) instanceof References references) {
                AllocationCandidates found = lookup.apply(references);
                if (found == null) {
                    return false;
                }
                results.set(i, found);
            }
        }
        return true;
    }

    /**
     * Returns the result of a query that is neither a fill nor of candidates, as placement's JSON; null if the time was
     * up before the query.
     *
     * @param ask index of the query
     */
    public @Nullable JsonNode json(int ask) {
        return (JsonNode) results.get(ask);
    }

    /**
     * Returns whether the fallback query excluded a tree because it has an inventory that only this query forbids
     * (PCPU). Such a host is meant for the first query, whose explanation of the tree applies instead.
     *
     * @param explained an element of {@code providers} of an explanation
     */
    public static boolean isMeantForFirstQuery(JsonNode explained) {
        return explained.path("obstacles").valueStream()
                .anyMatch(obstacle -> obstacle.path("code").asText().equals("inventory_present"));
    }

    private void read(JsonParser json, List<FleetQuery> asks) throws IOException {
        expect(json.nextToken() == JsonToken.START_OBJECT);
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            switch (member) {
                case "as_of" -> {
                    JsonNode asOf = TREES.readTree(json);
                    replica = asOf.path("replica").asText();
                    fleetVersion = asOf.path("fleet_version").asLong();
                }
                case "changed" -> changed = ReferencesParser.parseTrees(json);
                case "gaps" -> gaps = texts(json);
                case "roots" -> roots = texts(json);
                case "answers" -> {
                    expect(value == JsonToken.START_ARRAY);
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        expect(results.size() < asks.size());
                        results.add(result(json, asks.get(results.size())));
                    }
                }
                default -> json.skipChildren();
            }
        }
    }

    private @Nullable Object result(JsonParser json, FleetQuery ask) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        return switch (ask) {
            case FleetQuery.Fill _ -> fillCounts(json);
            case FleetQuery.Candidates candidates -> treesAreKnown && candidates.mayReturnReferences()
                    ? ReferencesParser.parse(json)
                    : CandidatesParser.parseCandidates(json);
            case FleetQuery.Explanation _, FleetQuery.Demands _, FleetQuery.Trees _,
                    FleetQuery.Roots _ -> TREES.readTree(json);
        };
    }

    private static FillCounts fillCounts(JsonParser json) throws IOException {
        int[] counts = {};
        int[] stops = {};
        List<String> demands = List.of();
        boolean single = false;
        int[] nested = {};
        List<String> shared = List.of();
        List<String> reached = List.of();
        boolean complete = true;
        expect(json.currentToken() == JsonToken.START_OBJECT);
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            json.nextToken();
            switch (member) {
                case "complete" -> complete = json.getBooleanValue();
                case "counts" -> counts = integers(json);
                case "stops" -> stops = integers(json);
                case "demands" -> demands = texts(json);
                case "single" -> single = json.getBooleanValue();
                case "nested" -> nested = integers(json);
                case "shared" -> shared = texts(json);
                case "reached" -> reached = texts(json);
                default -> json.skipChildren();
            }
        }
        expect(counts.length == stops.length);
        short[] indexes = new short[stops.length];
        for (int i = 0; i < stops.length; i++) {
            expect(stops[i] < demands.size());
            indexes[i] = (short) stops[i];
        }
        return new FillCounts(counts, indexes, demands, single, nested, shared, reached, complete);
    }

    private static List<String> texts(JsonParser json) throws IOException {
        List<String> texts = new ArrayList<>();
        expect(json.currentToken() == JsonToken.START_ARRAY);
        while (json.nextToken() == JsonToken.VALUE_STRING) {
            texts.add(json.getText());
        }
        return List.copyOf(texts);
    }

    private static int[] integers(JsonParser json) throws IOException {
        int[] numbers = new int[1_024];
        int count = 0;
        expect(json.currentToken() == JsonToken.START_ARRAY);
        while (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
            if (count == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * count);
            }
            numbers[count++] = json.getIntValue();
        }
        return Arrays.copyOf(numbers, count);
    }

    private static void expect(boolean met) throws IOException {
        if (!met) {
            throw new IOException("unexpected token");
        }
    }
}
