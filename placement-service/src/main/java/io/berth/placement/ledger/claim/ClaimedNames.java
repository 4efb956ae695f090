package io.berth.placement.ledger.claim;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** What a batch's claims name, each once: what has to be locked and read before they can be decided. */
public final class ClaimedNames {
    private final Set<UUID> consumers = new LinkedHashSet<>();
    private final Set<UUID> holders = new LinkedHashSet<>();
    private final Map<UUID, ConsumerClaim> firstClaims = new LinkedHashMap<>();
    private final Set<UUID> providers = new LinkedHashSet<>();
    private final Set<UUID> reshaped = new LinkedHashSet<>();
    private final Set<String> classes = new LinkedHashSet<>();
    private boolean allClasses;

    public ClaimedNames(List<Claim> claims) {
        for (Claim claim : claims) {
            for (ConsumerClaim wanted : claim.wanted()) {
                add(wanted);
            }
            switch (claim) {
                case Claim.Replace replace -> {}
                case Claim.Release release -> {
                    consumers.add(release.consumer());
                    holders.add(release.consumer());
                }
                case Claim.Reshape reshape -> {
                    // Its refusals name classes that only the database knows the provider to have.
                    allClasses = true;
                    reshape.inventories().forEach(inventory -> reshaped.add(inventory.provider()));
                    providers.addAll(reshaped);
                }
            }
        }
    }

    private void add(ConsumerClaim wanted) {
        consumers.add(wanted.consumer());
        if (!(wanted.generation() instanceof ConsumerClaim.GenerationCheck.IsNew)) {
            holders.add(wanted.consumer());
        }
        if (!wanted.amounts().isEmpty()) {
            firstClaims.putIfAbsent(wanted.consumer(), wanted);
        }
        for (ConsumerClaim.Amount amount : wanted.amounts()) {
            providers.add(amount.provider());
            classes.add(amount.resourceClass());
        }
    }

    /** Whether the claim is about one of these providers or consumers. */
    public static boolean namesAny(Claim claim, Set<UUID> wanted) {
        for (ConsumerClaim consumer : claim.wanted()) {
            if (wanted.contains(consumer.consumer())) {
                return true;
            }
            for (ConsumerClaim.Amount amount : consumer.amounts()) {
                if (wanted.contains(amount.provider())) {
                    return true;
                }
            }
        }
        return switch (claim) {
            case Claim.Replace replace -> false;
            case Claim.Release release -> wanted.contains(release.consumer());
            case Claim.Reshape reshape ->
                reshape.inventories().stream().anyMatch(inventory -> wanted.contains(inventory.provider()));
        };
    }

    public Set<UUID> providersAndConsumers() {
        Set<UUID> all = new HashSet<>(providers);
        all.addAll(consumers);
        return all;
    }

    public Set<UUID> consumers() {
        return consumers;
    }

    /**
     * Consumers whose allocations matter: all but those that every claim wants to be new. If such a one exists, its
     * claims are refused whatever it holds.
     */
    public Set<UUID> holders() {
        return holders;
    }

    /** The first claim for each consumer that is to hold something; such a consumer may have to be created. */
    public Map<UUID, ConsumerClaim> firstClaims() {
        return firstClaims;
    }

    public Set<UUID> providers() {
        return providers;
    }

    /** Providers that may get inventories, each one of {@link #providers} too. */
    public Set<UUID> reshaped() {
        return reshaped;
    }

    public Set<String> classes() {
        return classes;
    }

    public boolean allClasses() {
        return allClasses;
    }
}
