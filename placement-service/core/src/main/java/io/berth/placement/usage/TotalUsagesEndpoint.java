package io.berth.placement.usage;

import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.berth.placement.http.Schema;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.List;

/**
 * The route {@code GET /usages}, from microversion 1.9: shows the total use of a project, or of one user of the
 * project. From 1.38, shows the use of each consumer type, or only of the type in {@code consumer_type}; with {@code
 * consumer_type=all}, the sum over all types.
 */
@Startup
@Singleton
@Path("/usages")
public final class TotalUsagesEndpoint {
    private static final Schema.Versions QUERY_SCHEMAS = Schema.loadSince("usages", 9, 38);

    private final UsageStore store;

    TotalUsagesEndpoint(UsageStore store) {
        this.store = store;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).require(9).requireAccept();
        String projectId = call.lastValue("project_id");
        call.allow("placement:usages", projectId);
        boolean isByType = call.atLeast(38);
        QUERY_SCHEMAS.at(call.version()).checkQuery(call.query());
        String userId = call.lastValue("user_id");
        Uni<byte[]> json;
        if (!isByType) {
            json = store.listByClass(projectId, userId).map(TotalUsagesEndpoint::renderByClass);
        } else {
            String consumerType = call.lastValue("consumer_type");
            json = ("all".equals(consumerType)
                    ? store.listSummedOverTypes(projectId, userId)
                    : store.listByType(projectId, userId, consumerType))
                    .map(TotalUsagesEndpoint::renderByType);
        }
        return json.map(body -> Responses.ok(call, body, System.currentTimeMillis()));
    }

    private static byte[] renderByClass(List<UsageStore.OfClass> usages) {
        return Json.writeObject(json -> {
            json.writeObjectFieldStart("usages");
            for (var usage : usages) {
                json.writeNumberField(usage.resourceClass(), usage.used());
            }
            json.writeEndObject();
        });
    }

    private static byte[] renderByType(List<UsageStore.OfType> usages) {
        return Json.writeObject(json -> {
            json.writeObjectFieldStart("usages");
            // The list is ordered by type, so each type has one run of elements.
            for (int i = 0; i < usages.size();) {
                var first = usages.get(i);
                json.writeObjectFieldStart(first.consumerType());
                for (; i < usages.size() && usages.get(i).consumerType().equals(first.consumerType()); i++) {
                    json.writeNumberField(usages.get(i).resourceClass(), usages.get(i).used());
                }
                json.writeNumberField("consumer_count", first.consumerCount());
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }
}
