package io.berth.placement.allocation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import io.berth.placement.http.Schema;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerSettlement;
import io.berth.placement.ledger.claim.ConsumerSettlement.Undo;
import io.berth.placement.query.UuidText;
import io.quarkus.runtime.Startup;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/** Parses the body of {@code POST /berth/v1/settlements}. */
@Startup
@Singleton
final class SettlementBody {
    private static final Schema POST = Schema.load("settlements");

    private final AllocationBody allocations;

    SettlementBody(AllocationBody allocations) {
        this.allocations = allocations;
    }

    /**
     * Parses the body.
     *
     * @throws ApiException 400 if the body is invalid
     */
    Claim.Settle parse(byte[] body) {
        JsonNode json = POST.parse(body);
        long fence = json.get("fence").longValue();
        List<ConsumerSettlement> consumers = new ArrayList<>();
        Set<UUID> seen = new HashSet<>();
        for (JsonNode stated : json.get("consumers")) {
            // The schema has checked the form.
            UUID consumer = Objects.requireNonNull(UuidText.parseLenient(stated.get("uuid").textValue()));
            Json.require(seen.add(consumer), "consumer named twice: " + consumer);
            Undo undo = undo(stated.path("undo"));
            Json.require(undo == null || undo.from() <= undo.to() && undo.to() < fence,
                    "undo of consumer " + consumer + " must be numbers below the fence, the lower one first");
            consumers.add(new ConsumerSettlement(undo, restore(consumer, stated.path("restore"), undo)));
        }
        return new Claim.Settle(fence, consumers);
    }

    /**
     * Parses the member {@code undo}: a fencing token, or an object with the lowest and the highest token of a range.
     * Returns null if the member is missing or null.
     */
    private static @Nullable Undo undo(JsonNode stated) {
        if (stated.isObject()) {
            return new Undo(stated.get("from").longValue(), stated.get("to").longValue());
        }
        return stated.isNumber() ? new Undo(stated.longValue(), stated.longValue()) : null;
    }

    /**
     * Parses the member {@code restore}: the allocations that the consumer has after its last write is undone; none if
     * the member is missing or null.
     */
    private ConsumerClaim restore(UUID consumer, JsonNode stated, @Nullable Undo undo) {
        if (!stated.isObject()) {
            return ConsumerClaim.ofNothing(consumer);
        }
        Json.require(undo != null, "restore of consumer " + consumer + " needs undo");
        return allocations.parseRestored(consumer, stated);
    }
}
