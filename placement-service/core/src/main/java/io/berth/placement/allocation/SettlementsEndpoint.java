package io.berth.placement.allocation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.berth.placement.ledger.Ledger;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.Consumer;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * Berth's own route {@code POST /berth/v1/settlements}: raises the fence of up to 1,000 consumers, undoes a consumer's
 * last write if the fencing token of that write is in a given range, and returns the allocations of each consumer. If a
 * consumer's fence is already higher, the settlement is refused with 409 and changes nothing. If one of the writes
 * cannot be undone (for example because the allocations to restore no longer fit), none is undone, and {@code
 * undo_refused} states the reason; the fences are raised nevertheless. After the response, placement refuses writes
 * with a fencing token up to the fence, except a repetition of the last accepted write. Writes without a fencing token
 * are not refused.
 */
@Path("/berth/v1/settlements")
public final class SettlementsEndpoint {
    private final Ledger ledger;
    private final SettlementBody bodies;
    private final BodyWorker bodyWorker;

    SettlementsEndpoint(Ledger ledger, SettlementBody bodies, BodyWorker bodyWorker) {
        this.ledger = ledger;
        this.bodies = bodies;
        this.bodyWorker = bodyWorker;
    }

    @POST
    @Cancellable(false)
    public Uni<Response> settle(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).requireJson().requireAccept().allow("placement:allocations:settle");
        return bodyWorker.run(body, () -> ledger.submit(ClaimSize.requireAllowedSize(bodies.parse(body))))
                .map(result -> result instanceof ClaimResult.Settled settled
                        ? Responses.ok(call, render(settled), System.currentTimeMillis())
                        : ClaimResponse.MANY_CONSUMERS.toResponse(result, null));
    }

    private static byte[] render(ClaimResult.Settled settled) {
        return Json.writeObject(json -> {
            json.writeArrayFieldStart("consumers");
            for (ClaimResult.SettledConsumer consumer : settled.consumers()) {
                json.writeStartObject();
                write(json, consumer);
                json.writeEndObject();
            }
            json.writeEndArray();
            writeRefusal(json, settled.undoRefused());
        });
    }

    private static void write(JsonGenerator json, ClaimResult.SettledConsumer settled) throws IOException {
        json.writeStringField("uuid", settled.uuid().toString());
        json.writeNumberField("fence", settled.fence().number());
        writeNumber(json, "claimed_by", settled.fence().claimedBy());
        json.writeBooleanField("undone", settled.isUndone());
        Consumer row = settled.consumer();
        writeNumber(json, "consumer_generation", row == null ? null : (long) row.generation());
        json.writeStringField("project_id", row == null ? null : row.projectId());
        json.writeStringField("user_id", row == null ? null : row.userId());
        json.writeStringField("consumer_type", row == null ? null : row.consumerType());
        writeAllocations(json, settled.allocations());
    }

    private static void writeNumber(JsonGenerator json, String name, @Nullable Long number) throws IOException {
        if (number == null) {
            json.writeNullField(name);
        } else {
            json.writeNumberField(name, number);
        }
    }

    private static void writeAllocations(JsonGenerator json, List<ClaimResult.ProviderAllocations> holds)
            throws IOException {
        json.writeObjectFieldStart("allocations");
        for (ClaimResult.ProviderAllocations held : holds) {
            json.writeObjectFieldStart(held.provider().toString());
            json.writeNumberField("generation", held.generation());
            json.writeObjectFieldStart("resources");
            for (Map.Entry<String, Long> units : held.units().entrySet()) {
                json.writeNumberField(units.getKey(), units.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private static void writeRefusal(JsonGenerator json, @Nullable ClaimResult.Refused refused) throws IOException {
        if (refused == null) {
            json.writeNullField("undo_refused");
            return;
        }
        ApiException refusal = ClaimResponse.MANY_CONSUMERS.refusal(refused, null);
        json.writeObjectFieldStart("undo_refused");
        json.writeStringField("code", refusal.code().wire());
        json.writeStringField("detail", refusal.getMessage());
        json.writeEndObject();
    }
}
