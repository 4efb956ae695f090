package io.berth.scheduler.placement.http;

import io.berth.scheduler.placement.OverviewResult;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Reads placement's reports on its own state. No method fails its {@code Uni} because of placement or the network. */
@Singleton
public class PlacementState {
    /** Time limit of an audit, for which placement reads all its tables. */
    private static final Duration AUDIT_MAX = Duration.ofMinutes(2);
    /** Time limit of the query for the state of a replica. */
    private static final Duration REPLICA_MAX = Duration.ofSeconds(5);

    private final PlacementHttp http;

    PlacementState(PlacementHttp http) {
        this.http = http;
    }

    /** GET /berth/v1/audit: the inconsistencies in placement's tables, and the repair of each. */
    public Uni<OverviewResult> audit(String requestId) {
        return ask("/berth/v1/audit", AUDIT_MAX, requestId);
    }

    /** GET /berth/v1/replica: the state of the replica that responds. */
    public Uni<OverviewResult> replica(String requestId) {
        return ask("/berth/v1/replica", REPLICA_MAX, requestId);
    }

    private Uni<OverviewResult> ask(String path, Duration atMost, String requestId) {
        return overview(http.question(HttpMethod.GET, path, PlacementClient.MICROVERSION, null, atMost, requestId));
    }

    /** Converts the response of a call, or its failure, which becomes {@link OverviewResult.Unreachable}. */
    static Uni<OverviewResult> overview(Uni<PlacementHttp.Response> call) {
        return call
                .map(answer -> switch (answer.status()) {
                    case 200 -> (OverviewResult) new OverviewResult.Received(answer.body().getBytes());
                    case 404 -> new OverviewResult.NotSupported();
                    default -> new OverviewResult.Unreachable("placement answered " + answer.status());
                })
                .onFailure().recoverWithItem(failure -> new OverviewResult.Unreachable(PlacementHttp.why(failure)));
    }
}
