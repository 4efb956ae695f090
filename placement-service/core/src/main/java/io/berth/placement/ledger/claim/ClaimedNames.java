package io.berth.placement.ledger.claim;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The consumers, providers and resource classes that the claims of a batch name, each once. Their rows must be locked
 * and read before the decision.
 */
public final class ClaimedNames {
    private final Set<UUID> consumers = new LinkedHashSet<>();
    private final Set<UUID> consumersToRead = new LinkedHashSet<>();
    private final Map<UUID, FirstClaim> firstClaims = new LinkedHashMap<>();
    private final Set<UUID> providers = new LinkedHashSet<>();
    private final Set<UUID> reshapedProviders = new LinkedHashSet<>();
    private final Set<UUID> settledConsumers = new LinkedHashSet<>();
    private final Set<String> classes = new LinkedHashSet<>();
    private boolean needsAllClasses;

    /**
     * A claim for whose consumer a row is inserted if there is none, see {@link #firstClaims}.
     *
     * @param fence see {@link Claim#fence}
     */
    public record FirstClaim(ConsumerClaim claim, long fence) {
        /** Returns the row of the consumer after this claim, if the consumer had no row before. */
        public Consumer row() {
            return Consumer.first(claim, Fence.NONE.after(fence));
        }
    }

    public ClaimedNames(List<Claim> claims) {
        for (Claim claim : claims) {
            for (ConsumerClaim consumerClaim : claim.requestedAllocations()) {
                add(consumerClaim, claim.fence());
            }
            switch (claim) {
                case Claim.Replace replace -> {}
                case Claim.Settle settle ->
                    settle.consumers().forEach(consumer -> settledConsumers.add(consumer.restore().consumer()));
                case Claim.Release release -> {
                    consumers.add(release.consumer());
                    consumersToRead.add(release.consumer());
                }
                case Claim.Reshape reshape -> {
                    // A refusal of a reshape may name a resource class that the provider has and the claim does not
                    // name.
                    needsAllClasses = true;
                    reshape.inventories().forEach(inventory -> reshapedProviders.add(inventory.provider()));
                    providers.addAll(reshapedProviders);
                }
            }
        }
    }

    private void add(ConsumerClaim claim, long fence) {
        consumers.add(claim.consumer());
        if (!(claim.generation() instanceof ConsumerClaim.GenerationCheck.IsNew)) {
            consumersToRead.add(claim.consumer());
        }
        if (!claim.amounts().isEmpty() || fence != Fence.PLAIN) {
            firstClaims.putIfAbsent(claim.consumer(), new FirstClaim(claim, fence));
        }
        for (ConsumerClaim.Amount amount : claim.amounts()) {
            providers.add(amount.provider());
            classes.add(amount.resourceClass());
        }
    }

    /**
     * Returns whether a claim names one of these providers or consumers.
     *
     * @param names uuids of providers and consumers
     */
    public static boolean namesAny(Claim claim, Set<UUID> names) {
        for (ConsumerClaim consumer : claim.requestedAllocations()) {
            if (names.contains(consumer.consumer())) {
                return true;
            }
            for (ConsumerClaim.Amount amount : consumer.amounts()) {
                if (names.contains(amount.provider())) {
                    return true;
                }
            }
        }
        return switch (claim) {
            case Claim.Replace replace -> false;
            case Claim.Settle settle -> false;
            case Claim.Release release -> names.contains(release.consumer());
            case Claim.Reshape reshape ->
                reshape.inventories().stream().anyMatch(inventory -> names.contains(inventory.provider()));
        };
    }

    /** Returns the uuids of all providers and consumers, as a new set. */
    public Set<UUID> providersAndConsumers() {
        Set<UUID> all = new HashSet<>(providers);
        all.addAll(consumers);
        return all;
    }

    public Set<UUID> consumers() {
        return consumers;
    }

    /**
     * Returns the consumers whose allocations must be read: all consumers except those that every claim of the batch
     * expects to be new. If a consumer that the claims expect to be new exists, the claims are refused, whatever its
     * allocations are.
     */
    public Set<UUID> consumersToRead() {
        return consumersToRead;
    }

    /**
     * Returns, by consumer, the first claim of the batch that gives the consumer allocations or has a fencing token. If
     * the consumer has no row, a row is inserted before the decision, so that no other transaction can insert the
     * consumer or change its fence.
     */
    public Map<UUID, FirstClaim> firstClaims() {
        return firstClaims;
    }

    public Set<UUID> providers() {
        return providers;
    }

    /** Returns the providers to which a reshape may add inventories, a subset of {@link #providers}. */
    public Set<UUID> reshapedProviders() {
        return reshapedProviders;
    }

    /**
     * Returns the consumers of settlements. The result of a settlement lists their allocations, so the names of the
     * resource classes must be read.
     */
    public Set<UUID> settledConsumers() {
        return settledConsumers;
    }

    public Set<String> classes() {
        return classes;
    }

    /** Returns whether all resource classes must be read, not only {@link #classes}. */
    public boolean needsAllClasses() {
        return needsAllClasses;
    }
}
