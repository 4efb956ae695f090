package io.berth.placement.candidate;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.Microversion;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** An answer in the words of a test: providers by name, candidates as lines. */
record Found(List<String> candidates, TreeSet<String> summarised, JsonNode json) {

    static Found ask(FleetView view, String queryString, String version) {
        return ask(view, queryString, version, CandidateOptions.DEFAULT);
    }

    static Found ask(FleetView view, String queryString, String version, CandidateOptions options) {
        Microversion microversion = Microversion.parse(version).orElseThrow();
        CandidateQuery query = CandidateQueryParser.parse(parameters(queryString), microversion);
        byte[] json = switch (ResolvedQuery.of(view, query)) {
            case Resolution.Resolved resolved -> {
                var task = new SearchTask(
                        view, resolved.query(), options, new Random(7), AnswerForm.of(microversion), 100_000_000);
                yield ((CandidatesOutcome.Answered) task.finish()).json();
            }
            case Resolution.Hopeless hopeless -> CandidatesAnswer.EMPTY;
            case Resolution.UnknownResourceClass unknown -> throw new AssertionError(unknown);
            case Resolution.UnknownTrait unknown -> throw new AssertionError(unknown);
        };
        return of(Json.parse(json), uuid -> view.find(uuid).name());
    }

    static Map<String, List<String>> parameters(String queryString) {
        Map<String, List<String>> all = new LinkedHashMap<>();
        for (String piece : queryString.split("&")) {
            int equals = piece.indexOf('=');
            all.computeIfAbsent(
                    URLDecoder.decode(piece.substring(0, equals), StandardCharsets.UTF_8), key -> new ArrayList<>())
                    .add(URLDecoder.decode(piece.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return all;
    }

    /** Any form of the answer. A candidate's line: {@code cn1 MEMORY_MB:1 VCPU:2, ss DISK_GB:5 | =cn1+ss 1=cn1}. */
    static Found of(JsonNode json, java.util.function.Function<UUID, String> name) {
        List<String> candidates = new ArrayList<>();
        for (JsonNode request : json.get("allocation_requests")) {
            var byProvider = new TreeMap<String, String>();
            JsonNode allocations = request.get("allocations");
            if (allocations.isArray()) {
                allocations.forEach(allocation -> byProvider.put(
                        name.apply(UUID.fromString(allocation.get("resource_provider").get("uuid").asText())),
                        amounts(allocation.get("resources"))));
            } else {
                allocations.properties().forEach(allocation -> byProvider.put(
                        name.apply(UUID.fromString(allocation.getKey())),
                        amounts(allocation.getValue().get("resources"))));
            }
            var line = new ArrayList<String>();
            byProvider.forEach((provider, amounts) -> line.add(provider + amounts));
            candidates.add(String.join(", ", line) + mappings(request.get("mappings"), name));
        }
        candidates.sort(null);
        var summarised = new TreeSet<String>();
        json.get("provider_summaries").fieldNames()
                .forEachRemaining(uuid -> summarised.add(name.apply(UUID.fromString(uuid))));
        return new Found(candidates, summarised, json);
    }

    private static String amounts(JsonNode resources) {
        var sorted = new TreeSet<String>();
        resources.properties().forEach(entry -> sorted.add(" " + entry.getKey() + ":" + entry.getValue()));
        return String.join("", sorted);
    }

    private static String mappings(JsonNode mappings, java.util.function.Function<UUID, String> name) {
        if (mappings == null) {
            return "";
        }
        var sorted = new TreeSet<String>();
        mappings.properties().forEach(entry -> {
            var providers = new TreeSet<String>();
            entry.getValue().forEach(uuid -> providers.add(name.apply(UUID.fromString(uuid.asText()))));
            sorted.add(" " + entry.getKey() + "=" + String.join("+", providers));
        });
        return " |" + String.join("", sorted);
    }
}
