package io.berth.placement.candidate.response;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.context.CallerContext;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.ResponseWorkers;
import io.berth.placement.http.Responses;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.concurrent.Executor;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * Berth's own route {@code POST /berth/v1/provider_trees}: returns the present content of trees. The body is {@code
 * {"ids": [17, 21]}}, the ids of root providers; an id that is no root is ignored. A request with more than 10,000 ids,
 * or whose response would be too large, is refused with 400. The response is {@code {"replica", "position", "trees":
 * [...]}}: {@code replica} and {@code position} identify the view that the response shows, and the trees are in any
 * order, in the form of {@link TreeWriter}.
 */
@Path("/berth/v1/provider_trees")
public final class ProviderTreesEndpoint {
    /** The most trees that are written on the event loop, which takes less than half a millisecond. */
    private static final int INLINE_MAX = 100;
    /** The most ids in one request; more are refused with 400. */
    private static final int IDS_MAX = 10_000;

    private final FleetFeed feed;
    private final BodyWorker bodyWorker;
    private final ResponseWorkers workers;

    ProviderTreesEndpoint(FleetFeed feed, BodyWorker bodyWorker, ResponseWorkers workers) {
        this.feed = feed;
        this.bodyWorker = bodyWorker;
        this.workers = workers;
    }

    @POST
    @NonBlocking
    @Cancellable(false)
    public Uni<Response> show(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).requireJson().requireAccept().allow("placement:allocation_candidates:list");
        Executor caller = CallerContext.executor();
        return bodyWorker.run(body, () -> Uni.createFrom().item(ids(body)))
                .chain(ids -> feed.fresh().chain(view -> ids.length <= INLINE_MAX
                        ? Uni.createFrom().item(write(view, ids))
                        : workers.run(caller, () -> write(view, ids))))
                .map(json -> Responses.ok(call, json, System.currentTimeMillis()));
    }

    /**
     * Parses the body and returns its ids, each once.
     *
     * @throws ApiException 400 if the body is invalid
     */
    private static long[] ids(byte[] body) {
        JsonNode tree = Json.parse(body);
        JsonNode ids = tree.path("ids");
        Json.require(tree.size() == 1 && ids.isArray(), "the body must be an object with only the list ids");
        Json.require(ids.size() <= IDS_MAX, "ids must have at most " + IDS_MAX + " elements, not " + ids.size());
        return ids.valueStream().mapToLong(id -> {
            Json.require(
                    id.isIntegralNumber() && id.canConvertToLong(), "every element of ids must be a 64-bit integer");
            return id.longValue();
        }).distinct().toArray();
    }

    private byte[] write(FleetView view, long[] ids) {
        TreeWriter writer = new TreeWriter(view);
        JsonBytes out = new JsonBytes();
        TreeWriter.beginResponse(view, out);
        out.put(",\"trees\":[");
        for (long id : ids) {
            ProviderTree tree = view.treeOfRoot(id);
            if (tree != null) {
                out.beginElement().put(writer.write(tree));
            }
            if (out.length() > workers.responseBytesMax()) {
                throw ApiException.badRequest(
                        "The response exceeds " + workers.responseBytesMax() + " bytes. Request fewer trees.");
            }
        }
        return out.put("]}").toByteArray();
    }
}
