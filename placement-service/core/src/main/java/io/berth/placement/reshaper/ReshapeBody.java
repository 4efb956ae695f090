package io.berth.placement.reshaper;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.allocation.AllocationBody;
import io.berth.placement.allocation.ClaimResponse;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.http.Call;
import io.berth.placement.http.Schema;
import io.berth.placement.inventory.InventoryJson;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.InventoryClaim;
import io.berth.placement.query.UuidText;
import io.quarkus.runtime.Startup;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Parses the body of {@code POST /reshaper}. Its allocations have the form of {@code POST /allocations}. */
@Startup
@Singleton
final class ReshapeBody {
    private static final Schema.Versions POST_SCHEMAS = Schema.loadSince("reshaper", 30, 34, 38);

    private final AllocationBody allocations;

    ReshapeBody(AllocationBody allocations) {
        this.allocations = allocations;
    }

    /**
     * Parses the body.
     *
     * @throws io.berth.placement.http.ApiException 400 if the body is invalid
     */
    Claim.Reshape parse(Call call, byte[] body) {
        JsonNode json = POST_SCHEMAS.at(call.version()).parse(body);
        List<InventoryClaim> inventories = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : json.get("inventories").properties()) {
            UUID provider = UuidText.parseCanonical(member.getKey());
            if (provider == null) {
                throw ClaimResponse.noSuchReshapedProvider(member.getKey());
            }
            inventories.add(new InventoryClaim(
                    provider,
                    generation(member.getValue().get("resource_provider_generation")),
                    inventories(member.getValue().get("inventories"))));
        }
        return new Claim.Reshape(inventories, allocations.parseConsumers(json.get("allocations")));
    }

    /**
     * Converts a generation to a long. A number beyond the range of a long becomes the lowest long, which no provider
     * has as generation.
     */
    private static long generation(JsonNode generation) {
        return generation.canConvertToLong() ? generation.longValue() : Long.MIN_VALUE;
    }

    private static Map<String, Inventory> inventories(JsonNode byClass) {
        Map<String, Inventory> inventories = new LinkedHashMap<>();
        byClass.properties().forEach(
                member -> inventories.put(member.getKey(), InventoryJson.parse(member.getValue()).inventory()));
        return inventories;
    }
}
