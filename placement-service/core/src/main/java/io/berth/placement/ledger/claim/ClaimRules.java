package io.berth.placement.ledger.claim;

import io.berth.model.Maps;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.ClaimResult.Refused;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Decides claims. Pure: the decision depends only on the rows and the claims.
 *
 * <p>Claims are decided in the given order, each on the state after the accepted claims before it. A refused claim has
 * no effect on the state. A claim is accepted without further checks if the last write of each of its consumers had its
 * fencing token, because it is then a repetition. Otherwise the checks are, in this order: fences; consumer
 * generations; providers; resource classes; inventories; and for each amount, the limits of a portion and the capacity.
 * A release is checked only for its fence and for allocations to release; for a settlement, see {@link #settle}. Except
 * for fences, the order is upstream's.
 *
 * <p>A reshape has three more checks: first, that the providers of its inventories exist and have the expected
 * generations; before the resource classes of its amounts, that those of its inventories exist; and last, that it
 * removes no inventory in use.
 *
 * <p>Source: upstream {@code placement/objects/allocation.py}, {@code objects/reshaper.py}, {@code handlers/util.py}.
 */
public final class ClaimRules {
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    private final ClaimState state;

    private ClaimRules(LockedRows rows) {
        state = new ClaimState(rows);
    }

    /**
     * The results of the claims, and the effect of the accepted claims on the rows.
     *
     * @param results the result of each claim, in the order of the claims
     */
    public record Decision(List<ClaimResult> results, NetEffect effect) {}

    /**
     * Decides the claims.
     *
     * @param claims the claims; a release without a fencing token must not be among them, because it needs no decision
     */
    public static Decision decide(LockedRows rows, List<Claim> claims) {
        var rules = new ClaimRules(rows);
        List<ClaimResult> results = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            results.add(rules.apply(claim));
        }
        return new Decision(results, rules.state.netEffect());
    }

    private ClaimResult apply(Claim claim) {
        if (claim instanceof Claim.Settle settle) {
            return settle(settle);
        }
        if (isRepeated(claim)) {
            return CLAIMED;
        }
        Refused refused = checkFences(claim);
        if (refused == null) {
            refused = switch (claim) {
                case Claim.Replace replace -> replace(replace.consumers(), replace.fence());
                case Claim.Release release -> release(release);
                case Claim.Reshape reshape -> reshape(reshape);
                case Claim.Settle settle -> throw new IllegalStateException("a settlement is decided before");
            };
        }
        return refused == null ? CLAIMED : refused;
    }

    /**
     * Returns whether the claim is a repetition: its fencing token is that of the last write of each of its consumers.
     */
    private boolean isRepeated(Claim claim) {
        return claim.fence() != Fence.PLAIN && !claim.requestedAllocations().isEmpty()
                && claim.requestedAllocations().stream()
                        .allMatch(consumerClaim -> state.fence(consumerClaim.consumer()).isClaimedBy(claim.fence()));
    }

    private @Nullable Refused checkFences(Claim claim) {
        for (ConsumerClaim consumerClaim : claim.requestedAllocations()) {
            Fence fence = state.fence(consumerClaim.consumer());
            if (fence.refuses(claim.fence())) {
                return new ClaimResult.Fenced(consumerClaim.consumer(), fence.number(), claim.fence());
            }
        }
        return null;
    }

    private @Nullable Refused replace(List<ConsumerClaim> consumers, long fence) {
        Refused refused = firstRefusal(
                () -> checkConsumers(consumers),
                () -> checkProviders(consumers),
                () -> checkClasses(consumers),
                () -> checkAmounts(consumers, Map.of()));
        if (refused == null) {
            write(consumers, fence);
        }
        return refused;
    }

    private @Nullable Refused release(Claim.Release release) {
        UUID consumer = release.consumer();
        if (release.isPlainRelease()) {
            throw new IllegalArgumentException("a plain release has nothing to decide");
        }
        if (state.allocationsOf(consumer).isEmpty()) {
            return new ClaimResult.NothingAllocated(consumer);
        }
        state.setAllocations(consumer, Map.of());
        state.setGone(consumer, state.fence(consumer).after(release.fence()));
        return null;
    }

    /**
     * Decides a settlement. It is refused if the fence of a consumer is higher than that of the settlement. The undos
     * of all consumers are checked as one claim. If the rules refuse them, none is undone, but the fences are raised.
     */
    private ClaimResult settle(Claim.Settle settle) {
        List<ConsumerClaim> undos = new ArrayList<>();
        for (ConsumerSettlement consumer : settle.consumers()) {
            UUID uuid = consumer.restore().consumer();
            Fence fence = state.fence(uuid);
            if (settle.fence() < fence.number()) {
                return new ClaimResult.Fenced(uuid, fence.number(), settle.fence());
            }
            if (consumer.undo() != null && consumer.undo().covers(fence)) {
                undos.add(consumer.restore());
            }
        }
        Refused refused = replace(undos, settle.fence());
        Set<UUID> undoneConsumers = new HashSet<>();
        if (refused == null) {
            undos.forEach(consumer -> undoneConsumers.add(consumer.consumer()));
        }
        List<ClaimResult.SettledConsumer> settled = new ArrayList<>();
        for (ConsumerSettlement consumer : settle.consumers()) {
            UUID uuid = consumer.restore().consumer();
            state.setFence(uuid, state.fence(uuid).raisedTo(settle.fence()));
            settled.add(new ClaimResult.SettledConsumer(
                    uuid, state.consumer(uuid), state.fence(uuid), undoneConsumers.contains(uuid), held(uuid)));
        }
        return new ClaimResult.Settled(settled, refused);
    }

    /**
     * Returns the allocations of a consumer, except those whose provider or resource class does not exist, as after a
     * partial restore.
     */
    private List<ClaimResult.ProviderAllocations> held(UUID consumer) {
        Map<UUID, ClaimResult.ProviderAllocations> heldByProvider = new LinkedHashMap<>();
        state.allocationsOf(consumer).forEach((key, units) -> {
            var provider = state.findProviderOf(key);
            String resourceClass = state.className(key.resourceClassId());
            if (provider != null && resourceClass != null) {
                heldByProvider.computeIfAbsent(provider.uuid(), uuid -> new ClaimResult.ProviderAllocations(
                        uuid, provider.generation(), new LinkedHashMap<>()))
                        .units().put(resourceClass, units);
            }
        });
        return List.copyOf(heldByProvider.values());
    }

    /** Runs the checks until one of them returns a refusal. Returns the refusal; null if there is none. */
    @SafeVarargs
    private static @Nullable Refused firstRefusal(Supplier<Refused>... checks) {
        for (Supplier<Refused> check : checks) {
            Refused refused = check.get();
            if (refused != null) {
                return refused;
            }
        }
        return null;
    }

    private @Nullable Refused reshape(Claim.Reshape reshape) {
        for (InventoryClaim inventoryClaim : reshape.inventories()) {
            var provider = state.provider(inventoryClaim.provider());
            if (provider == null) {
                return new ClaimResult.NoSuchReshapedProvider(inventoryClaim.provider());
            }
            if (provider.generation() != inventoryClaim.generation()) {
                return new ClaimResult.ProviderGenerationConflict(
                        inventoryClaim.provider(), provider.generation(), inventoryClaim.generation());
            }
        }
        Map<AllocationKey, Inventory> interim = interimInventories(reshape.inventories());
        Refused refused = firstRefusal(
                () -> checkConsumers(reshape.consumers()),
                () -> checkProviders(reshape.consumers()),
                () -> checkInventoryClasses(reshape.inventories()),
                () -> checkClasses(reshape.consumers()),
                () -> checkAmounts(reshape.consumers(), interim),
                () -> checkRemovals(reshape));
        if (refused != null) {
            return refused;
        }
        // Like upstream, first adds inventories, then moves allocations, and then removes inventories. The first step
        // raises the generation of a provider that is to have inventories, the second raises generations like any
        // claim, and the third always raises it.
        interim.forEach(state::setInventory);
        write(reshape.consumers(), Fence.PLAIN);
        for (InventoryClaim inventoryClaim : reshape.inventories()) {
            var provider = state.providerOf(inventoryClaim.provider());
            for (int classId : removedClasses(inventoryClaim)) {
                state.removeInventory(new AllocationKey(provider.id(), classId));
            }
            provider.raiseGeneration(inventoryClaim.inventories().isEmpty() ? 1 : 2);
        }
        return null;
    }

    private @Nullable Refused checkConsumers(List<ConsumerClaim> consumers) {
        for (ConsumerClaim claim : consumers) {
            Consumer now = state.consumer(claim.consumer());
            Integer actual = now == null ? null : now.generation();
            boolean isExpected = switch (claim.generation()) {
                case GenerationCheck.Unchecked unchecked -> true;
                case GenerationCheck.IsNew isNew -> actual == null;
                case GenerationCheck.Is is -> actual != null && actual == is.generation();
            };
            if (!isExpected) {
                Long given = claim.generation() instanceof GenerationCheck.Is is ? is.generation() : null;
                return new ClaimResult.ConsumerGenerationConflict(claim.consumer(), actual, given);
            }
        }
        return null;
    }

    private @Nullable Refused checkProviders(List<ConsumerClaim> consumers) {
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                if (state.provider(amount.provider()) == null) {
                    return new ClaimResult.NoSuchProvider(amount.provider());
                }
            }
        }
        return null;
    }

    private @Nullable Refused checkClasses(List<ConsumerClaim> consumers) {
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                if (state.classId(amount.resourceClass()) == null) {
                    return new ClaimResult.NoSuchResourceClass(amount.resourceClass());
                }
            }
        }
        return null;
    }

    private @Nullable Refused checkInventoryClasses(List<InventoryClaim> inventories) {
        for (InventoryClaim inventoryClaim : inventories) {
            for (String resourceClass : inventoryClaim.inventories().keySet()) {
                if (state.classId(resourceClass) == null) {
                    return new ClaimResult.NoSuchResourceClass(resourceClass);
                }
            }
        }
        return null;
    }

    /**
     * Returns the refusal of the first amount that has no inventory, violates the limits of its inventory, or exceeds
     * the capacity of an inventory whose use the claim increases; null if there is none.
     *
     * @param interim the inventories that a reshape sets, by provider and class; the check uses them instead of the
     *         present inventories
     */
    private @Nullable Refused checkAmounts(List<ConsumerClaim> consumers, Map<AllocationKey, Inventory> interim) {
        Refused missing = checkInventories(consumers, interim);
        if (missing != null) {
            return missing;
        }
        Map<AllocationKey, Long> heldBefore = unitsHeld(consumers);
        Map<AllocationKey, Long> claimed = new HashMap<>();
        Map<AllocationKey, Long> change = changeOfUse(consumers);
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                AllocationKey key = key(amount);
                Inventory replacement = interim.get(key);
                Inventory terms = replacement != null ? replacement : state.terms(key);
                if (terms == null) {
                    return new ClaimResult.NoInventory(List.of(amount.resourceClass()), List.of(amount.provider()));
                }
                if (!terms.allowsPortion(amount.amount())) {
                    return new ClaimResult.PortionRefused(amount.resourceClass(), amount.provider());
                }
                // A claim may leave an inventory over capacity only if it does not increase the use.
                long used = state.used(key) - heldBefore.getOrDefault(key, 0L)
                        + claimed.merge(key, amount.amount(), Long::sum);
                if (used > terms.capacity() && Maps.require(change, key) > 0) {
                    return new ClaimResult.CapacityExceeded(amount.resourceClass(), amount.provider());
                }
            }
        }
        return null;
    }

    /**
     * Returns a refusal if a provider has no inventory of any of the claim's resource classes; null otherwise. The
     * refusal lists all such providers, and the classes by ascending id.
     */
    private @Nullable Refused checkInventories(List<ConsumerClaim> consumers, Map<AllocationKey, Inventory> interim) {
        SortedMap<Integer, String> classes = new TreeMap<>();
        Set<UUID> providers = new LinkedHashSet<>();
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                classes.put(state.classIdOf(amount.resourceClass()), amount.resourceClass());
                providers.add(amount.provider());
            }
        }
        Set<Long> interimProviders = new HashSet<>();
        for (AllocationKey key : interim.keySet()) {
            if (classes.containsKey(key.resourceClassId())) {
                interimProviders.add(key.providerId());
            }
        }
        List<UUID> providersWithout = new ArrayList<>();
        for (UUID uuid : providers) {
            var provider = state.providerOf(uuid);
            if (!interimProviders.contains(provider.id()) && !provider.hasAnyOf(classes.keySet())) {
                providersWithout.add(uuid);
            }
        }
        return providersWithout.isEmpty()
                ? null
                : new ClaimResult.NoInventory(List.copyOf(classes.values()), providersWithout);
    }

    /** Returns the change of use by provider and class, in units; negative if the claim releases more than it takes. */
    private Map<AllocationKey, Long> changeOfUse(List<ConsumerClaim> consumers) {
        Map<AllocationKey, Long> change = new LinkedHashMap<>();
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                change.merge(key(amount), amount.amount(), ClaimRules::addClamped);
            }
        }
        unitsHeld(consumers).forEach((key, units) -> change.merge(key, -units, ClaimRules::addClamped));
        return change;
    }

    /** Returns the units that the consumers hold before the claim, by provider and class. */
    private Map<AllocationKey, Long> unitsHeld(List<ConsumerClaim> consumers) {
        Map<AllocationKey, Long> heldBefore = new LinkedHashMap<>();
        for (ConsumerClaim claim : consumers) {
            state.allocationsOf(claim.consumer()).forEach((key, used) -> heldBefore.merge(key, used, Long::sum));
        }
        return heldBefore;
    }

    /** Adds with saturation, because an amount beyond the range of a long has been replaced by the largest long. */
    private static long addClamped(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }

    /** Applies an accepted claim to the state: allocations, consumers with their fences, and provider generations. */
    private void write(List<ConsumerClaim> consumers, long fence) {
        Set<UUID> touchedProviders = new LinkedHashSet<>();
        for (ConsumerClaim claim : consumers) {
            Map<AllocationKey, Long> now = new LinkedHashMap<>();
            for (Amount amount : claim.amounts()) {
                now.put(key(amount), amount.amount());
                touchedProviders.add(amount.provider());
            }
            Consumer before = state.consumer(claim.consumer());
            Fence after = state.fence(claim.consumer()).after(fence);
            if (now.isEmpty()) {
                // A consumer that keeps allocations does not raise the generations of the providers that it leaves;
                // only a consumer that releases everything does.
                for (AllocationKey key : state.allocationsOf(claim.consumer()).keySet()) {
                    var provider = state.findProviderOf(key);
                    if (provider != null) {
                        touchedProviders.add(provider.uuid());
                    }
                }
                // A consumer without a row is not locked if the claim has no fencing token, so nothing may be written
                // for it.
                if (before != null || fence != Fence.PLAIN) {
                    state.setGone(claim.consumer(), after);
                }
            } else {
                state.setConsumer(
                        claim.consumer(),
                        before == null ? Consumer.first(claim, after) : before.after(claim, after));
            }
            state.setAllocations(claim.consumer(), now);
        }
        for (UUID uuid : touchedProviders) {
            state.providerOf(uuid).raiseGeneration(1);
        }
    }

    /**
     * Returns the inventories that the reshape sets, by provider and class. Omits resource classes that do not exist,
     * which {@link #checkInventoryClasses} refuses later.
     */
    private Map<AllocationKey, Inventory> interimInventories(List<InventoryClaim> inventories) {
        Map<AllocationKey, Inventory> terms = new LinkedHashMap<>();
        for (InventoryClaim inventoryClaim : inventories) {
            var provider = state.providerOf(inventoryClaim.provider());
            inventoryClaim.inventories().forEach((resourceClass, inventory) -> {
                Integer classId = state.classId(resourceClass);
                if (classId != null) {
                    terms.put(new AllocationKey(provider.id(), classId), inventory);
                }
            });
        }
        return terms;
    }

    /** Returns a refusal if the reshape removes inventories that would still have allocations; null otherwise. */
    private @Nullable Refused checkRemovals(Claim.Reshape reshape) {
        Map<AllocationKey, Long> change = changeOfUse(reshape.consumers());
        for (InventoryClaim inventoryClaim : reshape.inventories()) {
            var provider = state.providerOf(inventoryClaim.provider());
            List<String> inUse = new ArrayList<>();
            for (int classId : removedClasses(inventoryClaim)) {
                var key = new AllocationKey(provider.id(), classId);
                if (state.used(key) + change.getOrDefault(key, 0L) > 0) {
                    inUse.add(state.className(classId));
                }
            }
            if (!inUse.isEmpty()) {
                return new ClaimResult.InventoryInUse(inUse, inventoryClaim.provider());
            }
        }
        return null;
    }

    /** Returns the ids of the classes whose inventories the reshape removes from the provider, ascending. */
    private List<Integer> removedClasses(InventoryClaim inventoryClaim) {
        Set<Integer> removed = new TreeSet<>(state.providerOf(inventoryClaim.provider()).classIds());
        inventoryClaim.inventories().keySet().forEach(resourceClass -> removed.remove(state.classId(resourceClass)));
        return List.copyOf(removed);
    }

    private AllocationKey key(Amount amount) {
        return new AllocationKey(state.providerOf(amount.provider()).id(), state.classIdOf(amount.resourceClass()));
    }
}
