package io.berth.placement.candidate.explanation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** An explanation, reduced to lines and names that tests compare. */
record Explained(JsonNode json) {
    static final Instant TIME = Instant.parse("2026-11-22T15:00:00Z");

    /** Explains with default options and without a time limit. */
    static Explained of(FleetView view, String query, String... providers) {
        return of(view, query, CandidateOptions.DEFAULT, 1_000_000, () -> false, providers);
    }

    static Explained of(
            FleetView view, String query, CandidateOptions options, long bytesMax, BooleanSupplier timeIsUp,
            String... providers) {
        var request = new Explanation.Request(
                CandidateQueryParser.parseOwn(QueryText.parameters(query)), Explanation.Counts.DEMANDS,
                Arrays.stream(providers).map(view::find).toList(), 1_000, 5, true);
        return new Explained(
                Json.parse(new Explanation(view, request, options, null, bytesMax, timeIsUp).render(TIME)));
    }

    /** One line per obstacle: {@code root: by code wanted had}. */
    List<String> obstacles() {
        List<String> lines = new ArrayList<>();
        for (JsonNode provider : json.path("providers")) {
            for (JsonNode obstacle : provider.path("obstacles")) {
                String where = provider.path("name").asText();
                String name = obstacle.path("name").asText(where);
                lines.add("%s: %s %s %s %s".formatted(
                        name.equals(where) ? where : where + "/" + name, obstacle.path("by").asText(),
                        obstacle.path("code").asText(), shown(obstacle.path("wanted")), shown(obstacle.path("had"))));
            }
        }
        return lines;
    }

    private static String shown(JsonNode measure) {
        if (!measure.isArray()) {
            return measure.toString();
        }
        List<String> names = new ArrayList<>();
        measure.forEach(name -> names.add(name.asText()));
        return names.toString();
    }

    /** The roots in the explanation, with or without obstacles. */
    TreeSet<String> roots(boolean withObstacles) {
        var names = new TreeSet<String>();
        for (JsonNode provider : json.path("providers")) {
            if (provider.path("obstacles").isEmpty() != withObstacles) {
                names.add(provider.path("name").asText());
            }
        }
        return names;
    }

    /** Number of candidates by the demands that are left out, joined by blanks. */
    TreeMap<String, Integer> relaxations() {
        var all = new TreeMap<String, Integer>();
        for (JsonNode each : json.path("relaxations")) {
            List<String> without = new ArrayList<>();
            each.path("without").forEach(demand -> without.add(demand.asText()));
            all.put(String.join(" ", without), each.path("candidates").asInt());
        }
        return all;
    }

    boolean isComplete() {
        return json.path("complete").asBoolean();
    }
}
