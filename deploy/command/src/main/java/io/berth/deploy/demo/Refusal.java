package io.berth.deploy.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import io.berth.model.text.Bar;
import java.util.StringJoiner;
import java.util.UUID;

/**
 * Shows a request that no host can take: how many hosts each demand removed, which host came nearest, and which
 * allocation ratio would be enough there. Then sets that ratio and repeats the request. The figures come from the
 * scheduler's refusal and from placement's explanation of the query.
 */
record Refusal(RestClient placement, RestClient scheduler, DemoFleet fleet, Screen screen) {
    private static final int BAR = 24;

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
        step(roots, roots, "provider trees there are");
        long remaining = roots;
        for (int i = 0; i < demands.size() && remaining > 0; i++) {
            // Leaves out demands that remove no further provider tree.
            long rest = demands.path(i).path("after_all_before").asLong();
            if (rest < remaining) {
                step(rest, roots, stage.path("demands").path(i).path("demand").asText()
                        + without(demands.path(i).path("removed"), remaining - rest));
                remaining = rest;
            }
        }
        screen.line("");
        screen.line("  Nearest: " + stage.path("nearest_miss").path("reason").asText() + ".");
        JsonNode nearest = nearest(demands, stage.path("nearest_miss").path("provider_uuid").asText());
        UUID provider = UUID.fromString(nearest.path("provider").asText());
        long wanted = Workload.RENDER.vcpus();
        long used = nearest.path("used").asLong();
        JsonNode inventory = fleet.inventory(provider, "VCPU");
        long physical = inventory.path("total").asLong() - inventory.path("reserved").asLong();
        double ratio = Math.ceil(100.0 * (used + wanted) / physical) / 100;
        screen.line("  %s has %d VCPU x %s, %d in use; %d more are enough, a ratio of %s:".formatted(
                screen.strong(nearest.path("name").asText()), physical, nearest.path("allocation_ratio").asDouble(),
                used, wanted - nearest.path("free").asLong(), ratio));
        screen.line("");
        ratios.raise(provider, "VCPU", ratio);
        screen.line("");
        screen.line("  The same request again:");
        placements.place(Workload.RENDER, 1);
    }

    private void step(long remaining, long roots, String demand) {
        String line = "  %5d %s %s".formatted(remaining, Bar.of(remaining, roots, BAR), demand);
        screen.line(remaining == 0 ? screen.bad(line) : line);
    }

    /**
     * Returns the names of the removed provider trees; empty if not all are named, because placement names at most
     * three.
     *
     * @param count removed trees
     */
    private static String without(JsonNode removed, long count) {
        var names = new StringJoiner(", ", ", without ", "");
        removed.forEach(root -> names.add(root.path("name").asText()));
        return removed.size() == count ? names.toString() : "";
    }

    /**
     * Returns the amounts (used, free, allocation_ratio) of the provider that the refusal names as nearest, from the
     * first demand that the provider does not satisfy.
     */
    private static JsonNode nearest(JsonNode demands, String provider) throws ApiFailure {
        for (JsonNode demand : demands) {
            if (demand.path("obstacle").isTextual()
                    && demand.path("nearest").path("provider").asText().equals(provider)) {
                return demand.path("nearest");
            }
        }
        throw new ApiFailure("placement names no nearest provider for a request that it refuses");
    }
}
