package io.berth.scheduler.http;

import io.berth.observability.RouteTemplates;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** What requests are counted under in metrics. A test compares it with the specification. */
@Singleton
public final class RouteNames {
    private static final List<String> COLLECTIONS =
            List.of("cells", "compute_nodes", "services", "host_aggregates", "server_groups", "instances");

    static List<String> all() {
        List<String> names = new ArrayList<>(List.of(
                "/v1/select_destinations", "/v1/reschedule", "/v1/simulations", "/v1/decisions/{}", "/v1/options",
                "/v1/moves", "/v1/moves/{}/revert", "/v1/mirror", "/v1/services/{}/heartbeat"));
        for (String collection : COLLECTIONS) {
            names.add("/v1/" + collection);
            names.add("/v1/" + collection + "/{}");
        }
        return names;
    }

    @Produces
    @Singleton
    RouteTemplates templates() {
        return new RouteTemplates(all());
    }
}
