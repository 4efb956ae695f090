package io.berth.placement.candidate.response;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.response.SearchTask.Outcome;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** A candidates response in a form that tests compare: providers by name, candidates as lines. */
public record Found(List<String> candidates, TreeSet<String> summarised, JsonNode json) {

    public static Found ask(FleetView view, String queryString, String version) {
        return ask(view, queryString, version, CandidateOptions.DEFAULT);
    }

    public static Found ask(FleetView view, String queryString, String version, CandidateOptions options) {
        Microversion microversion = Microversion.parse(version).orElseThrow();
        CandidateQuery query = microversion.equals(Microversion.MAX)
                ? CandidateQueryParser.parseOwn(QueryText.parameters(queryString))
                : CandidateQueryParser.parse(QueryText.parameters(queryString), microversion);
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        byte[] json = CandidatesResponse.EMPTY;
        if (resolved != null) {
            var answer = new CandidatesResponse(view, resolved, ResponseForm.of(microversion), 100_000_000);
            var task = new SearchTask(view, resolved, options, new Random(7), answer);
            json = ((Outcome.Rendered) task.finish()).bytes().toByteArray();
        }
        return of(Json.parse(json), uuid -> view.find(uuid).name());
    }

    /** A search that renders the response of the latest microversion. */
    static SearchTask task(FleetView view, String queryString, long bytesMax) {
        ResolvedQuery resolved = ResolvedQuery.of(
                view, CandidateQueryParser.parse(QueryText.parameters(queryString), Microversion.MAX));
        return new SearchTask(
                view, resolved, CandidateOptions.DEFAULT, null,
                new CandidatesResponse(view, resolved, ResponseForm.of(Microversion.MAX), bytesMax));
    }

    /**
     * Reads a response of any microversion. A line of a candidate is
     * {@code cn1 MEMORY_MB:1 VCPU:2, ss DISK_GB:5 | =cn1+ss 1=cn1}.
     */
    public static Found of(JsonNode json, java.util.function.Function<UUID, String> name) {
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
