package io.berth.placement.ledger.claim;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * What one consumer shall hold.
 *
 * @param generation what the client believes of the consumer
 * @param consumerType null: the client did not say; a consumer that has one keeps it
 * @param amounts in the order given, each provider and class once; empty: the consumer gives up all it holds
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

    /** The consumer gives up all it holds, in whatever generation it is. */
    public static ConsumerClaim ofNothing(UUID consumer) {
        return new ConsumerClaim(consumer, new GenerationCheck.Unchecked(), "", "", null, List.of());
    }

    /** @param amount units of the class, at least 1 */
    public record Amount(UUID provider, String resourceClass, long amount) {
        public Amount {
            Objects.requireNonNull(provider, "provider");
            Objects.requireNonNull(resourceClass, "resourceClass");
        }
    }

    /** What the client says of the consumer's generation. */
    public sealed interface GenerationCheck {
        /** Microversions before 1.28: the client does not say, nothing is checked. */
        record Unchecked() implements GenerationCheck {}

        /** The consumer must not exist. */
        record IsNew() implements GenerationCheck {}

        /** The consumer must exist in this generation. */
        record Is(long generation) implements GenerationCheck {}
    }
}
