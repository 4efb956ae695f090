package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Traffic;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Measures the reads of idle compute nodes. One random node after the other reads its provider tree, then the
 * allocations, aggregates, traits and inventories of its root. Source: nova {@code scheduler/client/report.py} (refresh
 * of the provider tree).
 */
record RefreshSituation(String name) implements Situation {
    private static final List<String> PROVIDER_PARTS = List.of("inventories", "traits", "aggregates", "allocations");

    @Override
    public Act begin(Stage stage) {
        List<UUID> hosts = ClaimSituation.rootsOf(stage.fleet());
        SplittableRandom random = new SplittableRandom(stage.seed());
        return () -> new Traffic() {
            private UUID host;
            private int remainingParts;

            @Override
            public Exchange next() {
                if (remainingParts == 0) {
                    host = hosts.get(random.nextInt(hosts.size()));
                    remainingParts = PROVIDER_PARTS.size();
                    return get("/resource_providers?in_tree=" + host, "resource_providers");
                }
                String part = PROVIDER_PARTS.get(--remainingParts);
                return get("/resource_providers/" + host + "/" + part, part);
            }
        };
    }

    private Exchange get(String path, String field) {
        return Exchange.get(name, path,
                response -> response.status() == 200 && !response.json().path(field).isEmpty()
                        ? Outcome.GOOD
                        : response.wrong("GET " + path + " (no " + field + ")"));
    }
}
