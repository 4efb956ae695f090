package io.berth.scheduler.placement.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Renders request bodies and parses responses of placement's {@code POST /berth/v1/settlements}, see
 * {@link io.berth.scheduler.placement.PlacementClient#settle}.
 */
final class Settlements {
    static final String PATH = "/berth/v1/settlements";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Settlements() {}

    /**
     * Renders a settlement without a rollback.
     *
     * @param number fence number of the settlement
     */
    static byte[] render(long number, List<UUID> consumers) {
        return WrittenJson.objectBytes(json -> {
            json.writeNumberField("fence", number);
            json.writeArrayFieldStart("consumers");
            for (UUID consumer : consumers) {
                json.writeStartObject();
                json.writeStringField("uuid", consumer.toString());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /**
     * Renders a settlement with a rollback of the consumers' writes.
     *
     * @param number fence number of the settlement
     * @param first lowest fence number of the writes to roll back
     * @param last highest fence number of the writes to roll back
     * @param restored the allocations of each consumer after the rollback; a consumer without allocations here releases
     *     everything
     */
    static byte[] renderUndo(long number, long first, long last, List<Claim> restored) {
        return WrittenJson.objectBytes(json -> {
            json.writeNumberField("fence", number);
            json.writeArrayFieldStart("consumers");
            for (Claim claim : restored) {
                json.writeStartObject();
                json.writeStringField("uuid", claim.consumer().toString());
                json.writeObjectFieldStart("undo");
                json.writeNumberField("from", first);
                json.writeNumberField("to", last);
                json.writeEndObject();
                if (!claim.request().allocations().isEmpty()) {
                    json.writeFieldName("restore");
                    claim.render(json);
                }
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /**
     * Parses a response with status 200, 404 (a Placement without settlements), or 409 for a refused fence number.
     * Fails with {@link PlacementHttp.PlacementUnavailable} for any other response, and for an invalid body.
     */
    static Uni<SettlementResult> read(PlacementHttp.Response answer) {
        if (answer.status() == 404) {
            return Uni.createFrom().item(new SettlementResult.Unreachable(
                    "this placement has no settlements: check berth.placement-url"));
        }
        Long fence = PlacementRefusal.fenceOf(answer);
        return fence != null
                ? Uni.createFrom().item(new SettlementResult.Fenced(fence))
                : answer.read(Settlements::parse);
    }

    private static SettlementResult parse(byte[] body) throws IOException {
        JsonNode json = JSON.readTree(body);
        if (json.path("undo_refused").isObject()) {
            return new SettlementResult.UndoRefused(json.path("undo_refused").path("detail").asText());
        }
        Map<UUID, SettlementResult.SettledConsumer> consumers = new HashMap<>();
        for (JsonNode each : json.path("consumers")) {
            JsonNode writtenBy = each.path("claimed_by");
            consumers.put(
                    UUID.fromString(each.path("uuid").asText()),
                    new SettlementResult.SettledConsumer(held(each),
                            writtenBy.isNumber() ? (Long) writtenBy.asLong() : null));
        }
        return new SettlementResult.Settled(consumers);
    }

    private static AllocationsResult.Allocations held(JsonNode consumer) {
        JsonNode generation = consumer.path("consumer_generation");
        return new AllocationsResult.Allocations(
                AllocationRequest.readAllocations(consumer.path("allocations")),
                generation.isNumber() ? (Long) generation.asLong() : null,
                consumer.path("project_id").textValue(),
                consumer.path("user_id").textValue());
    }
}
