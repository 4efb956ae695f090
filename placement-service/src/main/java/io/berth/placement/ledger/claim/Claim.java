package io.berth.placement.ledger.claim;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** One request to change allocations: all of it happens, or nothing. */
public sealed interface Claim {
    /**
     * Each consumer then holds exactly the given amounts, whatever it held before.
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
     * The consumer releases all its allocations. Provider generations do not change, as upstream.
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

    /** Inventories of some providers are replaced together with allocations that move between them. */
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
     * Raises the fence of each consumer, and undoes the last writes that are to be undone, either all or none of them.
     *
     * @param fence at least 1
     * @param consumers each once
     */
    record Settle(long fence, List<ConsumerSettlement> consumers) implements Claim {
        public Settle {
            consumers = List.copyOf(consumers);
        }
    }

    /** Returns the number that the write carries; {@link Fence#PLAIN} if it carries none. */
    long fence();

    /** Returns whether this is a release without a number: nothing has to be read before it. */
    default boolean isPlainRelease() {
        return this instanceof Release && fence() == Fence.PLAIN;
    }

    /** Returns the allocations that the claim requests for each consumer; empty for a plain release. */
    default List<ConsumerClaim> wanted() {
        return switch (this) {
            case Replace replace -> replace.consumers();
            case Release release ->
                isPlainRelease() ? List.of() : List.of(ConsumerClaim.ofNothing(release.consumer()));
            case Reshape reshape -> reshape.consumers();
            case Settle settle -> settle.consumers().stream().map(ConsumerSettlement::restore).toList();
        };
    }

    /** Returns the approximate number of rows that the claim may touch; batches are bounded by their sum. */
    default int weight() {
        int rows = 1;
        for (ConsumerClaim consumer : wanted()) {
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
