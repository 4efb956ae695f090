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

/** Sends the same random queries to both services and compares the responses; error responses only by their status. */
public record ReadComparison(RestClient source, RestClient target, Workers workers) {
    private static final int SHOWN_MAX = 200;

    /**
     * The result of the comparison.
     *
     * @param sent queries that were sent
     * @param equal queries with equal responses
     * @param withContent queries with equal responses of status 200 that are not empty lists
     * @param differences one line per query with different responses
     */
    public record Outcome(int sent, int equal, int withContent, List<String> differences) {}

    /**
     * Sends the queries and compares the responses.
     *
     * @param state the source's state, from which names and uuids of the queries are drawn
     * @throws ApiFailure if a service did not respond to a query
     */
    public Outcome compare(PlacementState state, int count, long seed) throws ApiFailure, InterruptedException {
        List<String> reads = new RandomReads(state, new Random(seed)).list(count);
        List<String> differences = Collections.synchronizedList(new ArrayList<>());
        var withContent = new AtomicInteger();
        workers.each("comparing reads", reads, path -> {
            RestClient.Response here = source.ask(path);
            RestClient.Response there = target.ask(path);
            if (here.status() != there.status()) {
                differences.add("GET %s: %d from the source, %d from the target"
                        .formatted(path, here.status(), there.status()));
            } else if (here.status() == 200) {
                JsonNode wanted = ResponseNormalizer.of(here.body(), source.endpoint().prefix());
                JsonNode actual = ResponseNormalizer.of(there.body(), target.endpoint().prefix());
                if (!wanted.equals(actual)) {
                    differences.add("GET " + path + ": " + firstDifference(wanted.toString(), actual.toString()));
                } else if (!isEmpty(wanted)) {
                    withContent.incrementAndGet();
                }
            }
        });
        return new Outcome(reads.size(), reads.size() - differences.size(), withContent.get(),
                List.copyOf(differences));
    }

    private static boolean isEmpty(JsonNode answer) {
        return answer.valueStream().allMatch(member -> member.isEmpty() && !member.isValueNode());
    }

    private static String firstDifference(String wanted, String actual) {
        int at = 0;
        while (at < wanted.length() && at < actual.length() && wanted.charAt(at) == actual.charAt(at)) {
            at++;
        }
        int from = Math.max(0, at - SHOWN_MAX / 4);
        return "%s in the source, %s in the target (from character %d on)"
                .formatted(shown(wanted, from), shown(actual, from), from);
    }

    private static String shown(String text, int from) {
        return text.substring(from, Math.min(text.length(), from + SHOWN_MAX));
    }
}
