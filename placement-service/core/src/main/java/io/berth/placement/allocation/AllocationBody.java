package io.berth.placement.allocation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.Schema;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.query.UuidText;
import io.quarkus.runtime.Startup;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Parses allocations in request bodies into claims. Each microversion adds to the body: 1.0 has a list of providers;
 * 1.8 project and user; 1.12 an object with providers as keys; 1.28 the consumer's generation; 1.34 mappings, which are
 * validated and not stored; 1.38 the consumer's type. All methods throw {@link ApiException} with 400 for an invalid
 * body.
 */
@Startup
@Singleton
public final class AllocationBody {
    private static final Schema.Versions PUT_SCHEMAS = Schema.loadSince("allocations-put", 0, 8, 12, 28, 34, 38);
    private static final Schema.Versions POST_SCHEMAS = Schema.loadSince("allocations-post", 13, 28, 34, 38);

    /**
     * The consumer type in responses for a consumer without a type. A settlement may send it back, and it then means no
     * type.
     */
    static final String UNKNOWN_TYPE = "unknown";

    private final IncompleteConsumer defaultOwner;

    AllocationBody(IncompleteConsumer defaultOwner) {
        this.defaultOwner = defaultOwner;
    }

    /** Parses the body of {@code PUT /allocations/{consumer}}. */
    ConsumerClaim parseOne(Call call, UUID consumer, byte[] body) {
        ConsumerClaim usualClaim =
                call.atLeast(28) ? FastClaimParser.parse(consumer, body, call.atLeast(38), call.atLeast(34)) : null;
        return usualClaim != null ? usualClaim : consumerClaim(consumer, PUT_SCHEMAS.at(call.version()).parse(body));
    }

    /** Parses the body of {@code POST /allocations}. */
    List<ConsumerClaim> parseMany(Call call, byte[] body) {
        return parseConsumers(POST_SCHEMAS.at(call.version()).parse(body));
    }

    /** Converts a JSON object with consumer uuids as keys. The JSON must have passed the schema of its route. */
    public List<ConsumerClaim> parseConsumers(JsonNode byConsumer) {
        List<ConsumerClaim> claims = new ArrayList<>(byConsumer.size());
        Set<UUID> seen = new HashSet<>();
        for (Map.Entry<String, JsonNode> member : byConsumer.properties()) {
            UUID consumer = UuidText.parseLenient(member.getKey());
            if (consumer == null || !seen.add(consumer)) {
                throw ApiException.badRequest(
                        (consumer == null ? "Malformed consumer_uuid: " : "Consumer named twice: ") + member.getKey());
            }
            claims.add(consumerClaim(consumer, member.getValue()));
        }
        return claims;
    }

    /**
     * Converts the allocations that a settlement restores. The resulting claim is valid at every generation of the
     * consumer, and has no consumer type if the type is {@link #UNKNOWN_TYPE}. The JSON must have passed the schema of
     * settlements.
     */
    ConsumerClaim parseRestored(UUID consumer, JsonNode restore) {
        ConsumerClaim claim = consumerClaim(consumer, new GenerationCheck.Unchecked(), restore);
        return new ConsumerClaim(
                consumer, claim.generation(), claim.projectId(), claim.userId(),
                UNKNOWN_TYPE.equals(claim.consumerType()) ? null : claim.consumerType(), claim.amounts());
    }

    private ConsumerClaim consumerClaim(UUID consumer, JsonNode body) {
        return consumerClaim(consumer, generation(body.get("consumer_generation")), body);
    }

    private ConsumerClaim consumerClaim(UUID consumer, GenerationCheck generation, JsonNode body) {
        boolean hasOwner = body.has("project_id");
        return new ConsumerClaim(
                consumer,
                generation,
                hasOwner ? body.get("project_id").textValue() : defaultOwner.projectId(),
                hasOwner ? body.get("user_id").textValue() : defaultOwner.userId(),
                body.path("consumer_type").textValue(),
                amounts(body.get("allocations")));
    }

    private static GenerationCheck generation(@Nullable JsonNode json) {
        if (json == null) {
            return new GenerationCheck.Unchecked();
        }
        return json.isNull() ? new GenerationCheck.IsNew() : new GenerationCheck.Is(wholeNumber(json));
    }

    private static List<Amount> amounts(JsonNode allocations) {
        // If a list contains a provider twice, the last entry counts, as in upstream.
        Map<String, JsonNode> resources = new LinkedHashMap<>();
        if (allocations.isArray()) {
            for (JsonNode member : allocations) {
                resources.put(member.get("resource_provider").get("uuid").textValue(), member.get("resources"));
            }
        } else {
            allocations.properties()
                    .forEach(member -> resources.put(member.getKey(), member.getValue().get("resources")));
        }
        List<Amount> amounts = new ArrayList<>();
        resources.forEach((text, byClass) -> {
            UUID provider = UuidText.parseCanonical(text);
            if (provider == null) {
                throw ClaimResponse.noSuchProvider(text);
            }
            byClass.properties().forEach(
                    member -> amounts.add(new Amount(provider, member.getKey(), wholeNumber(member.getValue()))));
        });
        return amounts;
    }

    /**
     * Converts a JSON number to a long; a number beyond the range becomes the nearest limit. This accepts no invalid
     * request: no inventory allows such an amount, and no generation reaches such a number.
     */
    private static long wholeNumber(JsonNode number) {
        if (number.canConvertToLong()) {
            return number.longValue();
        }
        return number.bigIntegerValue().signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
}
