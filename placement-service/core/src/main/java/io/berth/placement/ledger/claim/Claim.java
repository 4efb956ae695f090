package io.berth.placement.ledger.claim;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * One request to change allocations. It takes effect as a whole or not at all; only a {@link Settle} may raise the
 * fences without the requested undos.
 */
public sealed interface Claim {
    /**
     * Replaces all allocations of each consumer by the given amounts.
     *
     * @param fence see {@link Claim#fence}
     */
    record Replace(List<ConsumerClaim> consumers, long fence) implements Claim {
        public Replace {
            consumers = List.copyOf(consumers);
        }

        public Replace(List<ConsumerClaim> consumers) {
            this(consumers, Fence.PLAIN);
        }
    }

    /**
     * Releases all allocations of a consumer. As in upstream, the generations of providers do not change.
     *
     * @param fence see {@link Claim#fence}
     */
    record Release(UUID consumer, long fence) implements Claim {
        public Release {
            Objects.requireNonNull(consumer, "consumer");
        }

        public Release(UUID consumer) {
            this(consumer, Fence.PLAIN);
        }
    }

    /**
     * Replaces all inventories of some providers and all allocations of some consumers, for example to move inventories
     * with their allocations between providers.
     */
    record Reshape(List<InventoryClaim> inventories, List<ConsumerClaim> consumers) implements Claim {
        public Reshape {
            inventories = List.copyOf(inventories);
            consumers = List.copyOf(consumers);
        }

        @Override
        public long fence() {
            return Fence.PLAIN;
        }
    }

    /**
     * Raises the {@link Fence} of each consumer, so that earlier writes of the client that arrive late are refused.
     * Also undoes the last writes of the consumers for which the client requests it: all of these writes, or none if
     * the rules refuse to undo one of them. The settlement is refused if the fence of a consumer is higher than {@code
     * fence}.
     *
     * @param fence the number of the consumers' fences after the settlement, at least 1
     * @param consumers the settlement of each consumer; each consumer occurs once
     */
    record Settle(long fence, List<ConsumerSettlement> consumers) implements Claim {
        public Settle {
            consumers = List.copyOf(consumers);
        }
    }

    /** Returns the fencing token of the claim; {@link Fence#PLAIN} if it has none. */
    long fence();

    /**
     * Returns whether this is a release without a fencing token. Such a claim needs no decision ({@code
     * ledger.ReleaseStore}).
     */
    default boolean isPlainRelease() {
        return this instanceof Release && fence() == Fence.PLAIN;
    }

    /**
     * Returns the allocations that the claim requests, with one element for each consumer. For a settlement, these are
     * the allocations that an undo restores; for a release with a fencing token, an element without amounts. The list
     * is empty for a release without a fencing token.
     */
    default List<ConsumerClaim> requestedAllocations() {
        return switch (this) {
            case Replace replace -> replace.consumers();
            case Release release ->
                isPlainRelease() ? List.of() : List.of(ConsumerClaim.ofNothing(release.consumer()));
            case Reshape reshape -> reshape.consumers();
            case Settle settle -> settle.consumers().stream().map(ConsumerSettlement::restore).toList();
        };
    }

    /**
     * Returns the approximate number of rows that the claim may change. The size of batches and of the queue is bounded
     * by the sum of the weights.
     */
    default int weight() {
        int rows = 1;
        for (ConsumerClaim consumer : requestedAllocations()) {
            rows += 1 + consumer.amounts().size();
        }
        if (this instanceof Reshape reshape) {
            for (InventoryClaim inventory : reshape.inventories()) {
                rows += 1 + inventory.inventories().size();
            }
        }
        return rows;
    }
}
