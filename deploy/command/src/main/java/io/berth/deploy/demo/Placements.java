package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/**
 * Places instances one by one with {@code POST /v1/select_destinations}. Prints for each instance, from the explanation
 * in the response: the selected host, the number of weighed hosts, the weight of the best host, the selected host's
 * scores that are not 0 (one per weigher), and the next best host.
 */
record Placements(RestClient scheduler, Screen screen) {
    private static final String ROW = "  %-8s %-10s %5s   %6s = %-34s %s";

    /** Places the 20 instances of four workloads, and explains the first decision about {@link Workload#APP}. */
    void placeAll20() throws ApiFailure, InterruptedException {
        var group = RestClient.emptyObject().put("name", "db").put("policy", "anti-affinity");
        group.putArray("members");
        scheduler.send("PUT", "/v1/server_groups/" + Workload.DB.group(), group, 200, 201);
        screen.line(screen.strong(
                ROW.formatted("instance", "host", "hosts", "weight", "for free room in", "next best")));
        placeAll(Workload.WEB, 6);
        placeAll(Workload.DB, 5);
        JsonNode app = placeAll(Workload.APP, 5);
        placeAll(Workload.TRAIN, 4);
        printComparison(Workload.APP.name() + "-1", app);
    }

    /**
     * Places {@code count} instances of a workload. Returns the response for the first instance, with its explanation.
     */
    private JsonNode placeAll(Workload workload, int count)
            throws ApiFailure, InterruptedException {
        JsonNode first = null;
        screen.line("  " + screen.faint(workload.describe()));
        for (int number = 1; number <= count; number++) {
            JsonNode response = place(workload, number);
            first = first == null ? response : first;
        }
        return Objects.requireNonNull(first, "a workload has an instance");
    }

    /** Places one instance and prints its row of the table. Returns the response. */
    JsonNode place(Workload workload, int number) throws ApiFailure, InterruptedException {
        JsonNode response = scheduler
                .send("POST", "/v1/select_destinations?explain=true", workload.request(number), 200);
        JsonNode round = response.path("explanation").path("instances").path(0);
        JsonNode ranked = round.path("ranked");
        String host = response.path("selections").path(0).path(0).path("host").asText();
        var nonzeroScores = new StringJoiner(" + ");
        nonzeroScores.setEmptyValue("no weigher made a difference");
        weightsByWeigher(round, host).forEach((weigher, weight) -> {
            double score = weight.path("score").asDouble();
            if (score != 0) {
                nonzeroScores.add("%s %.2f".formatted(weigher, score));
            }
        });
        String nextBest = "";
        for (JsonNode rankedHost : ranked) {
            if (!rankedHost.path("host").asText().equals(host)) {
                nextBest = "%s %.3f".formatted(rankedHost.path("host").asText(), rankedHost.path("weight").asDouble());
                break;
            }
        }
        screen.line(ROW.formatted(workload.name() + "-" + number, host, ranked.size(),
                "%.3f".formatted(ranked.path(0).path("weight").asDouble()), nonzeroScores, nextBest));
        return response;
    }

    /**
     * Returns what each weigher computed for one host: an object with the members raw, score and multiplier, by the
     * weigher's name without the suffix Weigher.
     *
     * @param round the part of the explanation about one instance
     */
    private static Map<String, JsonNode> weightsByWeigher(JsonNode round, String host) {
        Map<String, JsonNode> scores = new LinkedHashMap<>();
        for (JsonNode weigher : round.path("weighers")) {
            for (JsonNode weight : weigher.path("weights")) {
                if (weight.path("host").asText().equals(host)) {
                    scores.put(weigher.path("name").asText().replaceFirst("Weigher$", ""), weight);
                }
            }
        }
        return scores;
    }

    /** Prints the scores of the two best hosts for the instance, without the weighers that score both of them 0. */
    private void printComparison(String instance, JsonNode response) {
        JsonNode round = response.path("explanation").path("instances").path(0);
        String best = round.path("ranked").path(0).path("host").asText();
        String nextBest = round.path("ranked").path(1).path("host").asText();
        screen.line("");
        screen.line("  Why " + screen.strong(best) + " for " + instance + ", and not " + nextBest
                + "? Each weigher scores what is free:");
        screen.line("  0 for none, 1 for the most of these " + round.path("ranked").size()
                + " hosts, times its multiplier. The sum decides.");
        screen.line("");
        String row = "  %-14s %12s %8s   %12s %8s   %s";
        screen.line(row.formatted("weigher", best, "score", nextBest, "score", "multiplier"));
        Map<String, JsonNode> nextScores = weightsByWeigher(round, nextBest);
        weightsByWeigher(round, best).forEach((weigher, weight) -> {
            JsonNode nextWeight = nextScores.getOrDefault(weigher, MissingNode.getInstance());
            if (weight.path("score").asDouble() != 0 || nextWeight.path("score").asDouble() != 0) {
                screen.line(row.formatted(weigher + "Weigher",
                        "%,.0f".formatted(weight.path("raw").asDouble()),
                        "%.3f".formatted(weight.path("score").asDouble()),
                        "%,.0f".formatted(nextWeight.path("raw").asDouble()),
                        "%.3f".formatted(nextWeight.path("score").asDouble()),
                        "%.1f".formatted(weight.path("multiplier").asDouble())));
            }
        });
    }
}
