package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Traffic;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Measures the reads of idle compute nodes. Each reads its provider tree, then the inventories, traits, aggregates and
 * allocations of its root. Source: nova {@code scheduler/client/report.py} (refresh of the provider tree).
 */
record RefreshSituation(String name) implements Situation {
    private static final List<String> OF_PROVIDER = List.of("inventories", "traits", "aggregates", "allocations");

    @Override
    public Act begin(Stage stage) {
        List<UUID> hosts = ClaimSituation.rootsOf(stage.fleet());
        SplittableRandom random = new SplittableRandom(stage.seed());
        return () -> new Traffic() {
            private UUID host;
            private int step;

            @Override
            public Exchange next() {
                if (step == 0) {
                    host = hosts.get(random.nextInt(hosts.size()));
                    step = OF_PROVIDER.size();
                    return get("/resource_providers?in_tree=" + host, "resource_providers");
                }
                String what = OF_PROVIDER.get(--step);
                return get("/resource_providers/" + host + "/" + what, what);
            }
        };
    }

    private Exchange get(String path, String field) {
        return Exchange.get(name, path,
                answer -> answer.status() == 200 && !answer.json().path(field).isEmpty()
                        ? Outcome.GOOD
                        : answer.wrong("GET " + path + " (no " + field + ")"));
    }
}
