package io.berth.deploy.migration.reads;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.Workers;
import io.berth.deploy.migration.state.PlacementState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends the same random queries to both services and compares the responses. The bodies are compared only if both have
 * status 200.
 */
public record ReadComparison(RestClient source, RestClient target, Workers workers) {
    private static final int EXCERPT_LENGTH = 200;

    /**
     * The result of the comparison.
     *
     * @param sent queries that were sent
     * @param equal queries with equal responses
     * @param withContent queries with equal responses of status 200 that have more than empty lists and objects
     * @param differences one line per query with different responses
     */
    public record Outcome(int sent, int equal, int withContent, List<String> differences) {}

    /**
     * Sends the queries and compares the responses.
     *
     * @param state the source's state, from which the names and uuids in the queries are drawn
     * @param count the number of queries
     * @param seed the seed of the random choice; the same state, count and seed give the same queries
     * @throws ApiFailure if a service did not respond to a query
     */
    public Outcome compare(PlacementState state, int count, long seed) throws ApiFailure, InterruptedException {
        List<String> reads = new RandomReads(state, new Random(seed)).paths(count);
        List<String> differences = Collections.synchronizedList(new ArrayList<>());
        var withContent = new AtomicInteger();
        workers.each("comparing reads", reads, path -> {
            RestClient.Response sourceResponse = source.getAnyStatus(path);
            RestClient.Response targetResponse = target.getAnyStatus(path);
            if (sourceResponse.status() != targetResponse.status()) {
                differences.add("GET %s: %d from the source, %d from the target"
                        .formatted(path, sourceResponse.status(), targetResponse.status()));
            } else if (sourceResponse.status() == 200) {
                JsonNode sourceBody = ResponseNormalizer.normalize(sourceResponse.body(), source.endpoint().prefix());
                JsonNode targetBody = ResponseNormalizer.normalize(targetResponse.body(), target.endpoint().prefix());
                if (!sourceBody.equals(targetBody)) {
                    differences.add("GET " + path + ": "
                            + firstDifference(sourceBody.toString(), targetBody.toString()));
                } else if (!isEmpty(sourceBody)) {
                    withContent.incrementAndGet();
                }
            }
        });
        return new Outcome(reads.size(), reads.size() - differences.size(), withContent.get(),
                List.copyOf(differences));
    }

    private static boolean isEmpty(JsonNode body) {
        return body.valueStream().allMatch(member -> member.isEmpty() && !member.isValueNode());
    }

    /** Returns excerpts of both texts, which begin shortly before the first difference. */
    private static String firstDifference(String sourceText, String targetText) {
        int index = 0;
        while (index < sourceText.length() && index < targetText.length()
                && sourceText.charAt(index) == targetText.charAt(index)) {
            index++;
        }
        int from = Math.max(0, index - EXCERPT_LENGTH / 4);
        return "%s in the source, %s in the target (from character %d on)"
                .formatted(excerpt(sourceText, from), excerpt(targetText, from), from);
    }

    private static String excerpt(String text, int from) {
        return text.substring(from, Math.min(text.length(), from + EXCERPT_LENGTH));
    }
}
