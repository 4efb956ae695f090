package io.berth.scheduler.question;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.feed.CandidatesParser;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Placement's answers to a question about its fleet: all about one state of it, one answer for each that was asked. */
public final class FleetAnswers {
    private static final ObjectMapper TREES = new ObjectMapper(JsonFactory.builder()
            // Uuids are field names here: no interning, and no alarm when many of them share a hash bucket.
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
            .build());

    private String replica = "";
    private long fleetVersion;
    private boolean complete = true;
    private List<String> gaps = List.of();
    private List<String> roots = List.of();
    /** A {@link Filled}, AllocationCandidates or JsonNode; null where the time was up before. */
    private final List<Object> answers = new ArrayList<>();

    private FleetAnswers() {}

    /** ApiFault (503) for what is no answer of placement. */
    public static FleetAnswers parse(byte[] body, List<FleetAsk> asks) {
        try (JsonParser json = TREES.createParser(body)) {
            FleetAnswers read = new FleetAnswers();
            read.read(json, asks);
            if (read.answers.size() == asks.size()) {
                return read;
            }
        } catch (IOException unreadable) {
            // Told below.
        }
        throw new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer: unreadable answer");
    }

    String replica() {
        return replica;
    }

    long fleetVersion() {
        return fleetVersion;
    }

    /** Whether all was answered to the end. */
    public boolean isComplete() {
        return complete;
    }

    /** What was not, in words. */
    public List<String> gaps() {
        return gaps;
    }

    /** Root providers that any fill says something about. */
    public List<String> roots() {
        return roots;
    }

    /** Null where the time was up before. */
    public @Nullable Filled fill(int ask) {
        return (Filled) answers.get(ask);
    }

    /** Null where the time was up before. */
    public @Nullable AllocationCandidates candidates(int ask) {
        return (AllocationCandidates) answers.get(ask);
    }

    /** Of an explanation, of trees or of roots, as placement writes it. Null where the time was up before. */
    public @Nullable JsonNode json(int ask) {
        return (JsonNode) answers.get(ask);
    }

    private void read(JsonParser json, List<FleetAsk> asks) throws IOException {
        expect(json.nextToken() == JsonToken.START_OBJECT);
        for (String member = json.nextFieldName(); member != null; member = json.nextFieldName()) {
            JsonToken value = json.nextToken();
            switch (member) {
                case "as_of" -> {
                    JsonNode asOf = TREES.readTree(json);
                    replica = asOf.path("replica").asText();
                    fleetVersion = asOf.path("fleet_version").asLong();
                }
                case "complete" -> complete = json.getBooleanValue();
                case "gaps" -> gaps = texts(json);
                case "roots" -> roots = texts(json);
                case "answers" -> {
                    expect(value == JsonToken.START_ARRAY);
                    while (json.nextToken() != JsonToken.END_ARRAY) {
                        expect(answers.size() < asks.size());
                        answers.add(answer(json, asks.get(answers.size())));
                    }
                }
                default -> json.skipChildren();
            }
        }
    }

    private static @Nullable Object answer(JsonParser json, FleetAsk ask) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return null;
        }
        return switch (ask) {
            case FleetAsk.Fill _ -> filled(json);
            case FleetAsk.Candidates _ -> CandidatesParser.parseCandidates(json);
            case FleetAsk.Explanation _, FleetAsk.Trees _, FleetAsk.Roots _ -> TREES.readTree(json);
        };
    }

    private static Filled filled(JsonParser json) throws IOException {
        int[] counts = {};
        int[] stops = {};
        List<String> demands = List.of();
        boolean single = false;
        int[] nested = {};
        List<String> shared = List.of();
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
                default -> json.skipChildren();
            }
        }
        expect(counts.length == stops.length);
        short[] indexes = new short[stops.length];
        for (int i = 0; i < stops.length; i++) {
            expect(stops[i] < demands.size());
            indexes[i] = (short) stops[i];
        }
        return new Filled(counts, indexes, demands, single, nested, shared, complete);
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
