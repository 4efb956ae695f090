package io.berth.placement.overview;

import io.berth.context.CallerContext;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.AnalysisWorkers;
import io.berth.placement.http.Call;
import io.berth.placement.http.LongBody;
import io.berth.placement.http.LongLists;
import io.berth.placement.http.Responses;
import io.berth.placement.provider.KnownProvider;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.concurrent.Executor;

/**
 * Berth's own routes for an overview of the fleet. {@code GET /berth/v1/fleet} returns all trees, as columns (lists
 * with one element for each tree, {@link FleetColumns}). {@code GET /berth/v1/fleet/{uuid}} returns the tree that
 * contains the provider ({@link TreeDetails}). Both responses are rendered on the worker for analysis jobs, because
 * fleets and trees may be large. The columns of resource classes are not kept; they are rendered again, on the event
 * loop, while they are sent.
 */
@Path("/berth/v1/fleet")
public final class OverviewEndpoint {
    private final FleetFeed feed;
    private final AnalysisWorkers workers;
    private final LongLists longLists;

    OverviewEndpoint(FleetFeed feed, AnalysisWorkers workers, LongLists longLists) {
        this.feed = feed;
        this.workers = workers;
        this.longLists = longLists;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:list");
        Executor caller = CallerContext.executor();
        return feed.fresh()
                .chain(view -> {
                    Instant time = Instant.now();
                    return workers.run(caller, () -> {
                        FleetColumns columns = new FleetColumns(view, time);
                        return new LongBody(http, columns.heldBytes(), columns.chunks());
                    });
                })
                .invoke(body -> body.reserveMemory(longLists))
                .map(body -> Responses.ok(call, body, System.currentTimeMillis()));
    }

    @GET
    @Path("/{uuid}")
    @NonBlocking
    public Uni<Response> show(@Context RoutingContext http, @PathParam("uuid") String uuid) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:list");
        Executor caller = CallerContext.executor();
        return feed.fresh()
                .chain(view -> {
                    Instant time = Instant.now();
                    Provider provider = KnownProvider.find(view, uuid);
                    if (provider == null) {
                        throw KnownProvider.noSuchProvider(uuid);
                    }
                    return workers.run(caller, () -> TreeDetails.render(view, view.treeOf(provider), time));
                })
                .map(json -> Responses.ok(call, json, System.currentTimeMillis()));
    }
}
