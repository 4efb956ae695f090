package io.berth.placement.allocation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.json.JsonLists;
import io.berth.placement.db.Reads;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.berth.placement.query.UuidText;
import io.smallrye.common.annotation.NonBlocking;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * Berth's own route {@code POST /berth/v1/holding_consumers}. The body {@code {"consumers": [...]}} lists at most
 * {@value #CONSUMERS_MAX} uuids in canonical form; with more, the request is refused with 400. The response {@code
 * {"holding": [...]}} lists the uuids of those consumers that hold allocations now, each once, in any order.
 */
@Path("/berth/v1/holding_consumers")
public final class HoldingConsumersEndpoint {
    static final int CONSUMERS_MAX = 1_000;

    /** Params: 1 consumer uuids. Returns a row for each distinct consumer that has allocations. */
    private static final String HOLDING = """
            SELECT consumer FROM (SELECT DISTINCT consumer FROM unnest($1::uuid[]) AS asked(consumer)) AS asked
             WHERE EXISTS (SELECT FROM allocations WHERE consumer_uuid = consumer)
            """;

    private final Reads reads;
    private final BodyWorker bodyWorker;

    HoldingConsumersEndpoint(Reads reads, BodyWorker bodyWorker) {
        this.reads = reads;
        this.bodyWorker = bodyWorker;
    }

    @POST
    @NonBlocking
    @Cancellable(false)
    public Uni<Response> list(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).requireJson().requireAccept().allow("placement:allocations:list");
        return bodyWorker.run(body, () -> Uni.createFrom().item(consumers(body)))
                .chain(consumers -> reads.run(HOLDING, Tuple.of(consumers)))
                .map(rows -> Responses.ok(call, render(rows), System.currentTimeMillis()));
    }

    /** Parses the body; 400 for an invalid one. */
    private static UUID[] consumers(byte[] body) {
        JsonNode tree = Json.parse(body);
        JsonNode consumers = tree.path("consumers");
        Json.require(tree.size() == 1 && consumers.isArray(),
                "the body must be an object with only the list consumers");
        Json.require(consumers.size() <= CONSUMERS_MAX, "consumers has more than " + CONSUMERS_MAX + " elements");
        return consumers.valueStream().map(HoldingConsumersEndpoint::consumer).toArray(UUID[]::new);
    }

    private static UUID consumer(JsonNode item) {
        return Json.requirePresent(
                item.isTextual() ? UuidText.parseCanonical(item.textValue()) : null,
                "every element of consumers must be a uuid, not " + item);
    }

    private static byte[] render(RowSet<Row> rows) {
        List<UUID> holding = new ArrayList<>(rows.size());
        rows.forEach(row -> holding.add(row.getUUID("consumer")));
        return Json.writeObject(json -> JsonLists.writeTexts(json, "holding", holding));
    }
}
