package io.berth.scheduler.placement.http;

import io.berth.scheduler.placement.OverviewAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.time.Duration;

/** What placement tells of itself. No method fails its {@code Uni} for anything placement or the network does. */
@Singleton
public class PlacementState {
    /** An audit reads all tables. */
    private static final Duration AUDIT_MAX = Duration.ofMinutes(2);
    private static final Duration REPLICA_MAX = Duration.ofSeconds(5);

    private final PlacementHttp http;

    PlacementState(PlacementHttp http) {
        this.http = http;
    }

    /** GET /berth/v1/audit: what should not be in the tables, and how that would be healed. */
    public Uni<OverviewAnswer> audit(String requestId) {
        return ask("/berth/v1/audit", AUDIT_MAX, requestId);
    }

    /** GET /berth/v1/replica: of the one that answers. */
    public Uni<OverviewAnswer> replica(String requestId) {
        return ask("/berth/v1/replica", REPLICA_MAX, requestId);
    }

    private Uni<OverviewAnswer> ask(String path, Duration atMost, String requestId) {
        return told(http.question(HttpMethod.GET, path, PlacementClient.MICROVERSION, null, atMost, requestId));
    }

    static Uni<OverviewAnswer> told(Uni<PlacementHttp.Answer> asked) {
        return asked
                .map(answer -> switch (answer.status()) {
                    case 200 -> (OverviewAnswer) new OverviewAnswer.Told(answer.body().getBytes());
                    case 404 -> new OverviewAnswer.NotKept();
                    default -> new OverviewAnswer.Unreachable("placement answered " + answer.status());
                })
                .onFailure().recoverWithItem(lost -> new OverviewAnswer.Unreachable(PlacementHttp.why(lost)));
    }
}
