package io.berth.placement.allocation;

import io.berth.json.JsonLists;
import io.berth.placement.allocation.ReleasedConsumerStore.Released;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;

/**
 * Berth's own route {@code GET /berth/v1/released_consumers?since=}: lists the consumers that released all their
 * allocations since an earlier response, in any order. {@code since} is the member {@code until} of the earlier
 * response. A consumer may be listed twice, and may hold allocations again. If {@code complete} is false, the list is
 * empty although consumers may have released their allocations, and the client must check all its consumers. The reason
 * is one of these: {@code since} is missing, or from before a restart or restore of PostgreSQL; entries after {@code
 * since} may have been deleted, which happens after a day; there are more than 50,000 consumers.
 */
@Path("/berth/v1/released_consumers")
public final class ReleasedConsumersEndpoint {
    private static final String SINCE = "since";

    private final ReleasedConsumerStore store;

    ReleasedConsumersEndpoint(ReleasedConsumerStore store) {
        this.store = store;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:allocations:list");
        return store.since(since(call.query()))
                .map(released -> Responses.ok(call, render(released), System.currentTimeMillis()));
    }

    private static @Nullable ReleasedUntil since(Map<String, List<String>> query) {
        if (query.isEmpty()) {
            return null;
        }
        List<String> values = query.get(SINCE);
        ReleasedUntil since = query.size() == 1 && values != null ? ReleasedUntil.parse(values.getLast()) : null;
        if (since == null) {
            throw ApiException.badRequest(
                    "Invalid query string parameters: since must be the member until of an earlier response");
        }
        return since;
    }

    private static byte[] render(Released released) {
        return Json.writeObject(json -> {
            json.writeStringField("until", released.until().toString());
            json.writeBooleanField("complete", released.isComplete());
            JsonLists.writeTexts(json, "consumers", released.consumers());
        });
    }
}
