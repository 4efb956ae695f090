package io.berth.placement.ledger.claim;

import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** One request to change who uses what: all of it happens, or nothing. */
public sealed interface Claim {
    /** Each consumer afterwards holds exactly the amounts named, on whatever it held before. Nothing else changes. */
    record Replace(List<ConsumerClaim> consumers) implements Claim {
        public Replace {
            consumers = List.copyOf(consumers);
        }
    }

    /** The consumer gives up all it holds. Provider generations stay, as upstream. */
    record Release(UUID consumer) implements Claim {
        public Release {
            Objects.requireNonNull(consumer, "consumer");
        }
    }

    /** Inventories of some providers are replaced together with allocations that move between them. */
    record Reshape(List<InventoryClaim> inventories, List<ConsumerClaim> consumers) implements Claim {
        public Reshape {
            inventories = List.copyOf(inventories);
            consumers = List.copyOf(consumers);
        }
    }

    /** What the claim wants of each consumer; empty for a release. */
    default List<ConsumerClaim> wanted() {
        return switch (this) {
            case Replace replace -> replace.consumers();
            case Release release -> List.of();
            case Reshape reshape -> reshape.consumers();
        };
    }

    /** Rows the claim may touch, roughly; batches are bounded by their sum. */
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
