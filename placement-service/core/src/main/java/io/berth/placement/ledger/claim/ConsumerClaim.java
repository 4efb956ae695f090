package io.berth.placement.ledger.claim;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * The allocations that one consumer is to hold, instead of its present ones.
 *
 * @param generation the client's expectation of the consumer's present generation
 * @param consumerType the type of the consumer; null if the client gave none, in which case an existing consumer keeps
 *         its type
 * @param amounts the amounts, in the order of the request, at most one for each provider and class; empty if the
 *         consumer releases everything
 */
public record ConsumerClaim(
        UUID consumer,
        GenerationCheck generation,
        String projectId,
        String userId,
        @Nullable String consumerType,
        List<Amount> amounts) {

    public ConsumerClaim {
        Objects.requireNonNull(consumer, "consumer");
        Objects.requireNonNull(generation, "generation");
        Objects.requireNonNull(projectId, "projectId");
        Objects.requireNonNull(userId, "userId");
        amounts = List.copyOf(amounts);
    }

    /** Returns the claim by which the consumer releases everything at any generation. */
    public static ConsumerClaim ofNothing(UUID consumer) {
        return new ConsumerClaim(consumer, new GenerationCheck.Unchecked(), "", "", null, List.of());
    }

    /**
     * An amount of one resource class on one provider.
     *
     * @param amount units of the class, at least 1
     */
    public record Amount(UUID provider, String resourceClass, long amount) {
        public Amount {
            Objects.requireNonNull(provider, "provider");
            Objects.requireNonNull(resourceClass, "resourceClass");
        }
    }

    /** The client's expectation of the consumer's generation. */
    public sealed interface GenerationCheck {
        /**
         * The generation is not checked: for clients below microversion 1.28, which give none, for releases, and for
         * the undos of settlements.
         */
        record Unchecked() implements GenerationCheck {}

        /** The consumer must not exist. */
        record IsNew() implements GenerationCheck {}

        /** The consumer must exist and have this generation. */
        record Is(long generation) implements GenerationCheck {}
    }
}
