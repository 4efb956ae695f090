package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.model.text.Bar;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * Shows a request that no host can take: how many hosts each demand removed, which host came nearest, and which
 * allocation ratio of that host would suffice. Then sets this ratio and repeats the request. The figures come from the
 * scheduler's refusal and from placement's explanation of the query.
 */
record Refusal(RestClient placement, RestClient scheduler, DemoFleet fleet, Screen screen) {
    private static final int BAR_WIDTH = 24;

    void show(Ratios ratios, Placements placements) throws ApiFailure, InterruptedException {
        screen.line("  " + screen.faint(Workload.RENDER.name() + "-1, " + Workload.RENDER.describe()));
        RestClient.Response refusal = scheduler.call(
                "POST", "/v1/select_destinations", Workload.RENDER.request(1), 409);
        screen.line("  " + screen.bad(refusal.status() + " " + refusal.error().path("code").asText()));
        screen.line("");
        JsonNode stage = refusal.error().path("explanation").path("placement");
        JsonNode demands = placement
                .get("/berth/v1/allocation_candidates/explanation?" + stage.path("query").asText())
                .path("demands");
        long roots = stage.path("roots").asLong();
        printStep(roots, roots, "provider trees there are");
        long remaining = roots;
        for (int i = 0; i < demands.size() && remaining > 0; i++) {
            // Leaves out the demands that remove no further provider tree.
            long remainingAfter = demands.path(i).path("after_all_before").asLong();
            if (remainingAfter < remaining) {
                printStep(remainingAfter, roots, stage.path("demands").path(i).path("demand").asText()
                        + removedNames(demands.path(i).path("removed"), remaining - remainingAfter));
                remaining = remainingAfter;
            }
        }
        screen.line("");
        screen.line("  Nearest: " + stage.path("nearest_miss").path("reason").asText() + ".");
        JsonNode nearest = findNearest(demands, stage.path("nearest_miss").path("provider_uuid").asText());
        UUID provider = UUID.fromString(nearest.path("provider").asText());
        long vcpus = Workload.RENDER.vcpus();
        long used = nearest.path("used").asLong();
        JsonNode inventory = fleet.inventory(provider, "VCPU");
        long physical = inventory.path("total").asLong() - inventory.path("reserved").asLong();
        // The smallest ratio, in steps of 0.01, at which the request fits.
        double ratio = Math.ceil(100.0 * (used + vcpus) / physical) / 100;
        screen.line("  %s has %d VCPU x %s, %d in use; %d more are enough, a ratio of %s:".formatted(
                screen.strong(nearest.path("name").asText()), physical, nearest.path("allocation_ratio").asDouble(),
                used, vcpus - nearest.path("free").asLong(), ratio));
        screen.line("");
        ratios.raise(provider, "VCPU", ratio);
        screen.line("");
        screen.line("  The same request again:");
        placements.place(Workload.RENDER, 1);
    }

    /** Prints the number of trees that remain after a demand, with a bar for the fraction of all trees. */
    private void printStep(long remaining, long roots, String demand) {
        String line = "  %5d %s %s".formatted(remaining, Bar.of(remaining, roots, BAR_WIDTH), demand);
        screen.line(remaining == 0 ? screen.bad(line) : line);
    }

    /**
     * Returns the names of the removed provider trees as the end of a row; empty unless placement named all of them,
     * because placement names at most three.
     *
     * @param removed the trees that placement named
     * @param count the number of all removed trees
     */
    private static String removedNames(JsonNode removed, long count) {
        var names = new StringJoiner(", ", ", without ", "");
        removed.forEach(root -> names.add(root.path("name").asText()));
        return removed.size() == count ? names.toString() : "";
    }

    /**
     * Returns placement's figures (used, free, allocation_ratio) of the provider that the refusal names as nearest.
     * They are from the first demand with an obstacle for which placement names the same provider as nearest.
     *
     * @param demands the demands of placement's explanation
     * @param provider uuid of the provider in the refusal
     * @throws ApiFailure if there is no such demand
     */
    private static JsonNode findNearest(JsonNode demands, String provider) throws ApiFailure {
        for (JsonNode demand : demands) {
            if (demand.path("obstacle").isTextual()
                    && demand.path("nearest").path("provider").asText().equals(provider)) {
                return demand.path("nearest");
            }
        }
        throw new ApiFailure("placement names no nearest provider for a request that it refuses");
    }
}
