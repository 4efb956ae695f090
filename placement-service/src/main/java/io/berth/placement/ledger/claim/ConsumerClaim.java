package io.berth.placement.ledger.claim;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * The allocations that one consumer is to hold.
 *
 * @param generation the client's expectation of the consumer's generation
 * @param consumerType null if the client gave none: an existing consumer keeps its type
 * @param amounts in the order given, each provider and class once; empty: the consumer releases everything
 */
public record ConsumerClaim(
        UUID consumer,
        GenerationCheck generation,
        String projectId,
        String userId,
        String consumerType,
        List<Amount> amounts) {

    public ConsumerClaim {
        Objects.requireNonNull(consumer, "consumer");
        Objects.requireNonNull(generation, "generation");
        Objects.requireNonNull(projectId, "projectId");
        Objects.requireNonNull(userId, "userId");
        amounts = List.copyOf(amounts);
    }

    /** Returns the claim by which the consumer releases everything, whatever its generation is. */
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
         * Checks nothing: for clients before microversion 1.28, which give no generation, and releases that ignore it.
         */
        record Unchecked() implements GenerationCheck {}

        /** The consumer must not exist. */
        record IsNew() implements GenerationCheck {}

        /** The consumer must exist in this generation. */
        record Is(long generation) implements GenerationCheck {}
    }
}
