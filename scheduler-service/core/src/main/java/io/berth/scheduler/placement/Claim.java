package io.berth.scheduler.placement;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The complete allocations that one consumer is to hold, in place of its present allocations. Project and user are
 * required: the constructor refuses null.
 *
 * @param consumerGeneration generation that the consumer must have; null for a consumer that placement must not know
 */
public record Claim(
        UUID consumer, AllocationRequest request, @Nullable Long consumerGeneration, @Nullable String projectId,
        @Nullable String userId) {
    public Claim {
        Objects.requireNonNull(consumer, "consumer");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(projectId, "projectId");
        Objects.requireNonNull(userId, "userId");
    }

    /**
     * Returns a claim that replaces what a consumer holds now, for the same project and user.
     *
     * @param now the state of the consumer, which must hold something
     * @param allocations provider uuid to resource class to amount; empty to release everything
     */
    public static Claim replacing(UUID consumer, AllocationsResult.Allocations now,
            Map<String, Map<String, Long>> allocations) {
        return new Claim(
                consumer, new AllocationRequest(allocations, Map.of()), now.consumerGeneration(), now.projectId(),
                now.userId());
    }

    /**
     * Writes this claim as a JSON object: the body of PUT /allocations/{consumer}, a value in POST /allocations, or
     * {@code restore} in a settlement.
     */
    public void render(JsonGenerator json) throws IOException {
        json.writeStartObject();
        request.renderMembers(json);
        json.writeFieldName("consumer_generation");
        if (consumerGeneration == null) {
            json.writeNull();
        } else {
            json.writeNumber(consumerGeneration);
        }
        json.writeStringField("project_id", projectId);
        json.writeStringField("user_id", userId);
        json.writeEndObject();
    }
}
