package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.ClaimResult.Refused;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
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
 * Decides claims. Pure: the same rows and claims give the same decisions, and nothing else is looked at.
 *
 * <p>Claims are taken in the order of arrival, each on what the accepted ones before it left. A refused claim leaves
 * nothing. Checks run in upstream's order: consumer generations, providers, resource classes, inventories, then
 * amount by amount the portion and the capacity.
 *
 * <p>Source: upstream {@code placement/objects/allocation.py}, {@code objects/reshaper.py}, {@code handlers/util.py}.
 */
public final class ClaimRules {
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    private final ClaimState state;

    private ClaimRules(LockedRows rows) {
        state = new ClaimState(rows);
    }

    /** @param results one per claim, in their order */
    public record Decision(List<ClaimResult> results, NetEffect effect) {}

    /** @param claims no releases: there is nothing to decide, and they are in batches of their own */
    public static Decision decide(LockedRows rows, List<Claim> claims) {
        var rules = new ClaimRules(rows);
        List<ClaimResult> results = new ArrayList<>(claims.size());
        for (Claim claim : claims) {
            Refused refused = rules.apply(claim);
            results.add(refused == null ? CLAIMED : refused);
        }
        return new Decision(results, rules.state.netEffect());
    }

    /** Null when accepted. */
    private Refused apply(Claim claim) {
        return switch (claim) {
            case Claim.Replace replace -> replace(replace.consumers());
            case Claim.Release _ -> throw new IllegalArgumentException("a release has nothing to decide");
            case Claim.Reshape reshape -> reshape(reshape);
        };
    }

    private Refused replace(List<ConsumerClaim> consumers) {
        Refused refused = first(
                () -> checkConsumers(consumers),
                () -> checkProviders(consumers),
                () -> checkClasses(consumers),
                () -> checkAmounts(consumers, Map.of()));
        if (refused == null) {
            write(consumers);
        }
        return refused;
    }

    /** The first refusal; what comes after it is not looked at. */
    @SafeVarargs
    private static Refused first(Supplier<Refused>... checks) {
        for (Supplier<Refused> check : checks) {
            Refused refused = check.get();
            if (refused != null) {
                return refused;
            }
        }
        return null;
    }

    private Refused reshape(Claim.Reshape reshape) {
        for (InventoryClaim wanted : reshape.inventories()) {
            var provider = state.provider(wanted.provider());
            if (provider == null) {
                return new ClaimResult.NoSuchReshapedProvider(wanted.provider());
            }
            if (provider.generation() != wanted.generation()) {
                return new ClaimResult.ProviderGenerationConflict(
                        wanted.provider(), provider.generation(), wanted.generation());
            }
        }
        Map<AllocationKey, Inventory> interim = interimTerms(reshape.inventories());
        Refused refused = first(
                () -> checkConsumers(reshape.consumers()),
                () -> checkProviders(reshape.consumers()),
                () -> checkInventoryClasses(reshape.inventories()),
                () -> checkClasses(reshape.consumers()),
                () -> checkAmounts(reshape.consumers(), interim),
                () -> checkRemovals(reshape));
        if (refused != null) {
            return refused;
        }
        // Upstream first widens the inventories, then moves the allocations, then narrows them, each step counting.
        interim.forEach(state::setInventory);
        write(reshape.consumers());
        for (InventoryClaim wanted : reshape.inventories()) {
            var provider = state.provider(wanted.provider());
            for (int classId : removedClasses(wanted)) {
                state.removeInventory(new AllocationKey(provider.id(), classId));
            }
            provider.raiseGeneration(wanted.inventories().isEmpty() ? 1 : 2);
        }
        return null;
    }

    private Refused checkConsumers(List<ConsumerClaim> consumers) {
        for (ConsumerClaim claim : consumers) {
            Consumer now = state.consumer(claim.consumer());
            Integer actual = now == null ? null : now.generation();
            boolean right = switch (claim.generation()) {
                case GenerationCheck.Unchecked unchecked -> true;
                case GenerationCheck.IsNew isNew -> actual == null;
                case GenerationCheck.Is is -> actual != null && actual == is.generation();
            };
            if (!right) {
                Long given = claim.generation() instanceof GenerationCheck.Is is ? is.generation() : null;
                return new ClaimResult.ConsumerGenerationConflict(claim.consumer(), actual, given);
            }
        }
        return null;
    }

    private Refused checkProviders(List<ConsumerClaim> consumers) {
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                if (state.provider(amount.provider()) == null) {
                    return new ClaimResult.NoSuchProvider(amount.provider());
                }
            }
        }
        return null;
    }

    private Refused checkClasses(List<ConsumerClaim> consumers) {
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                if (state.classId(amount.resourceClass()) == null) {
                    return new ClaimResult.NoSuchResourceClass(amount.resourceClass());
                }
            }
        }
        return null;
    }

    private Refused checkInventoryClasses(List<InventoryClaim> inventories) {
        for (InventoryClaim wanted : inventories) {
            for (String resourceClass : wanted.inventories().keySet()) {
                if (state.classId(resourceClass) == null) {
                    return new ClaimResult.NoSuchResourceClass(resourceClass);
                }
            }
        }
        return null;
    }

    /** @param interim terms that replace the provider's own */
    private Refused checkAmounts(List<ConsumerClaim> consumers, Map<AllocationKey, Inventory> interim) {
        Refused missing = checkInventories(consumers, interim);
        if (missing != null) {
            return missing;
        }
        Map<AllocationKey, Long> given = givenUp(consumers);
        Map<AllocationKey, Long> taken = new HashMap<>();
        Map<AllocationKey, Long> change = changeOfUse(consumers);
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                AllocationKey key = key(amount);
                Inventory terms = interim.getOrDefault(key, state.terms(key));
                if (terms == null) {
                    return new ClaimResult.NoInventory(List.of(amount.resourceClass()), List.of(amount.provider()));
                }
                if (!terms.allowsPortion(amount.amount())) {
                    return new ClaimResult.PortionRefused(amount.resourceClass(), amount.provider());
                }
                // A provider that is over-committed already may stay so, only not get worse by this claim.
                long used = state.used(key) - given.getOrDefault(key, 0L) + taken.merge(key, amount.amount(), Long::sum);
                if (used > terms.capacity() && change.get(key) > 0) {
                    return new ClaimResult.CapacityExceeded(amount.resourceClass(), amount.provider());
                }
            }
        }
        return null;
    }

    /** Providers with an inventory of none of the classes that the whole claim names are refused together; classes by id. */
    private Refused checkInventories(List<ConsumerClaim> consumers, Map<AllocationKey, Inventory> interim) {
        SortedMap<Integer, String> classes = new TreeMap<>();
        Set<UUID> providers = new LinkedHashSet<>();
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                classes.put(state.classId(amount.resourceClass()), amount.resourceClass());
                providers.add(amount.provider());
            }
        }
        Set<Long> wanted = new HashSet<>();
        for (AllocationKey key : interim.keySet()) {
            if (classes.containsKey(key.resourceClassId())) {
                wanted.add(key.providerId());
            }
        }
        List<UUID> without = new ArrayList<>();
        for (UUID uuid : providers) {
            var provider = state.provider(uuid);
            if (!wanted.contains(provider.id()) && !provider.hasAnyOf(classes.keySet())) {
                without.add(uuid);
            }
        }
        return without.isEmpty() ? null : new ClaimResult.NoInventory(List.copyOf(classes.values()), without);
    }

    /** Units by place that the whole claim adds; negative where it gives up more than it takes. */
    private Map<AllocationKey, Long> changeOfUse(List<ConsumerClaim> consumers) {
        Map<AllocationKey, Long> change = new LinkedHashMap<>();
        for (ConsumerClaim claim : consumers) {
            for (Amount amount : claim.amounts()) {
                change.merge(key(amount), amount.amount(), ClaimRules::addClamped);
            }
        }
        givenUp(consumers).forEach((key, units) -> change.merge(key, -units, ClaimRules::addClamped));
        return change;
    }

    /** Units by place that the claim's consumers hold before it. */
    private Map<AllocationKey, Long> givenUp(List<ConsumerClaim> consumers) {
        Map<AllocationKey, Long> given = new LinkedHashMap<>();
        for (ConsumerClaim claim : consumers) {
            state.allocationsOf(claim.consumer()).forEach((key, used) -> given.merge(key, used, Long::sum));
        }
        return given;
    }

    /** Amounts beyond the range of a long arrive as its greatest value. */
    private static long addClamped(long a, long b) {
        long sum = a + b;
        boolean overflow = ((a ^ sum) & (b ^ sum)) < 0;
        return overflow ? (a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }

    private void write(List<ConsumerClaim> consumers) {
        Set<UUID> touched = new LinkedHashSet<>();
        for (ConsumerClaim claim : consumers) {
            Map<AllocationKey, Long> now = new LinkedHashMap<>();
            for (Amount amount : claim.amounts()) {
                now.put(key(amount), amount.amount());
                touched.add(amount.provider());
            }
            if (now.isEmpty()) {
                // Only a consumer that gives up all counts for the providers it leaves.
                for (AllocationKey key : state.allocationsOf(claim.consumer()).keySet()) {
                    var left = state.findProviderOf(key);
                    if (left != null) {
                        touched.add(left.uuid());
                    }
                }
                state.setConsumer(claim.consumer(), null);
            } else {
                Consumer before = state.consumer(claim.consumer());
                state.setConsumer(claim.consumer(), before == null ? Consumer.first(claim) : before.after(claim));
            }
            state.setAllocations(claim.consumer(), now);
        }
        for (UUID provider : touched) {
            state.provider(provider).raiseGeneration(1);
        }
    }

    private Map<AllocationKey, Inventory> interimTerms(List<InventoryClaim> inventories) {
        Map<AllocationKey, Inventory> terms = new LinkedHashMap<>();
        for (InventoryClaim wanted : inventories) {
            var provider = state.provider(wanted.provider());
            wanted.inventories().forEach((resourceClass, inventory) -> {
                Integer classId = state.classId(resourceClass);
                if (classId != null) {
                    terms.put(new AllocationKey(provider.id(), classId), inventory);
                }
            });
        }
        return terms;
    }

    /** Refuses to take an inventory away that anybody still uses after this claim. */
    private Refused checkRemovals(Claim.Reshape reshape) {
        Map<AllocationKey, Long> change = changeOfUse(reshape.consumers());
        for (InventoryClaim wanted : reshape.inventories()) {
            var provider = state.provider(wanted.provider());
            List<String> inUse = new ArrayList<>();
            for (int classId : removedClasses(wanted)) {
                var key = new AllocationKey(provider.id(), classId);
                if (state.used(key) + change.getOrDefault(key, 0L) > 0) {
                    inUse.add(state.className(classId));
                }
            }
            if (!inUse.isEmpty()) {
                return new ClaimResult.InventoryInUse(inUse, wanted.provider());
            }
        }
        return null;
    }

    /** Ids, ascending. */
    private List<Integer> removedClasses(InventoryClaim wanted) {
        Set<Integer> removed = new TreeSet<>(state.provider(wanted.provider()).classIds());
        wanted.inventories().keySet().forEach(resourceClass -> removed.remove(state.classId(resourceClass)));
        return List.copyOf(removed);
    }

    private AllocationKey key(Amount amount) {
        return new AllocationKey(state.provider(amount.provider()).id(), state.classId(amount.resourceClass()));
    }
}
