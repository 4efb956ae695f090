package io.berth.placement.allocation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.http.ApiException;
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

/** Parses the body of {@code POST /berth/v1/settlements} into a {@link Claim.Settle}. */
@Startup
@Singleton
final class SettlementBody {
    private static final Schema POST_SCHEMA = Schema.load("settlements");

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
        JsonNode json = POST_SCHEMA.parse(body);
        long fence = json.get("fence").longValue();
        List<ConsumerSettlement> consumers = new ArrayList<>();
        Set<UUID> seen = new HashSet<>();
        for (JsonNode member : json.get("consumers")) {
            // Never null: the schema accepts only uuids that parseLenient accepts, too.
            UUID consumer = Objects.requireNonNull(UuidText.parseLenient(member.get("uuid").textValue()));
            require(seen.add(consumer), "consumer named twice: " + consumer);
            Undo undo = undo(member.path("undo"));
            require(undo == null || undo.from() <= undo.to() && undo.to() < fence,
                    "undo of consumer " + consumer + " must be numbers below the fence, the lower one first");
            consumers.add(new ConsumerSettlement(undo, restore(consumer, member.path("restore"), undo)));
        }
        return new Claim.Settle(fence, consumers);
    }

    private static @Nullable Undo undo(JsonNode member) {
        if (member.isObject()) {
            return new Undo(member.get("from").longValue(), member.get("to").longValue());
        }
        return member.isNumber() ? new Undo(member.longValue(), member.longValue()) : null;
    }

    private ConsumerClaim restore(UUID consumer, JsonNode member, @Nullable Undo undo) {
        if (!member.isObject()) {
            return ConsumerClaim.ofNothing(consumer);
        }
        require(undo != null, "restore of consumer " + consumer + " needs undo");
        return allocations.parseRestored(consumer, member);
    }

    private static void require(boolean isValid, String message) {
        if (!isValid) {
            throw ApiException.badRequest("JSON does not validate: " + message);
        }
    }
}
