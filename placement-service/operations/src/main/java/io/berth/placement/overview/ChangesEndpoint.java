package io.berth.placement.overview;

import io.berth.database.change.ChangeSearch;
import io.berth.database.change.OperatorChanges;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.Responses;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;

/**
 * Berth's own route {@code GET /berth/v1/changes}: lists the changes of inventories, traits and aggregates that
 * operators made, with the user and the previous value of each. {@link ChangeSearch} documents the query parameters.
 */
@Path("/berth/v1/changes")
public final class ChangesEndpoint {
    private final OperatorChanges changes;

    ChangesEndpoint(OperatorChanges changes) {
        this.changes = changes;
    }

    @GET
    @NonBlocking
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:changes:show");
        return changes.list(search(call)).map(
                json -> Responses.ok(call, json.getBytes(StandardCharsets.UTF_8), System.currentTimeMillis()));
    }

    private static ChangeSearch search(Call call) {
        try {
            return ChangeSearch.of(call.query());
        } catch (IllegalArgumentException wrong) {
            throw ApiException.badRequest("Invalid query string parameters: " + wrong.getMessage());
        }
    }
}
