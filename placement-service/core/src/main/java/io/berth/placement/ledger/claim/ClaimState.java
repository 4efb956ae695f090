package io.berth.placement.ledger.claim;

import io.berth.model.Maps;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.LockedRows.Holding;
import io.berth.placement.ledger.claim.LockedRows.LockedInventory;
import io.berth.placement.ledger.claim.LockedRows.LockedProvider;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The state of the locked rows after the claims of a batch that have been accepted so far. Not thread-safe. */
final class ClaimState {
    private final LockedRows rows;
    /** The consumers that accepted claims changed; an empty value for a consumer without a row. */
    private final Map<UUID, Optional<Consumer>> consumers = new LinkedHashMap<>();
    /** The fences that accepted claims set for consumers that have no row after these claims. */
    private final Map<UUID, Fence> tombstones = new LinkedHashMap<>();
    /** The allocations of the consumers that accepted claims changed. */
    private final Map<UUID, Map<AllocationKey, Long>> allocations = new LinkedHashMap<>();
    private final Map<UUID, ProviderState> providers = new HashMap<>();
    private final Map<Long, ProviderState> providersById = new HashMap<>();
    /** The names of resource classes by id; null until needed. */
    private @Nullable Map<Integer, String> classNames;

    ClaimState(LockedRows rows) {
        this.rows = rows;
        for (LockedProvider locked : rows.providers().values()) {
            var provider = new ProviderState(locked);
            providers.put(locked.uuid(), provider);
            providersById.put(locked.id(), provider);
        }
    }

    /** An inventory and its use. Both may change. */
    private static final class InventoryState {
        private Inventory terms;
        private long used;

        private InventoryState(Inventory terms, long used) {
            this.terms = terms;
            this.used = used;
        }
    }

    /** A locked provider with its inventories. The inventories may change. */
    static final class ProviderState {
        private final LockedProvider locked;
        private final Map<Integer, InventoryState> inventories = new LinkedHashMap<>();
        /** See {@link LockedProvider#unaccounted}; without the allocations that accepted claims released. */
        private final Map<Integer, Long> unaccounted;
        /** By how much accepted claims raised the generation. */
        private int rises;

        private ProviderState(LockedProvider locked) {
            this.locked = locked;
            locked.inventories().forEach((classId, inventory) -> inventories.put(
                    classId, new InventoryState(inventory.terms(), inventory.used())));
            this.unaccounted = new HashMap<>(locked.unaccounted());
        }

        long id() {
            return locked.id();
        }

        UUID uuid() {
            return locked.uuid();
        }

        int generation() {
            return locked.generation() + rises;
        }

        void raiseGeneration(int times) {
            rises += times;
        }

        /** Returns whether the provider has an inventory of any of these classes. */
        boolean hasAnyOf(Set<Integer> classIds) {
            return inventories.keySet().stream().anyMatch(classIds::contains);
        }

        /** Returns the ids of the classes with an inventory, as a new list. */
        List<Integer> classIds() {
            return new ArrayList<>(inventories.keySet());
        }
    }

    /** Returns the consumer; null if it does not exist. */
    @Nullable Consumer consumer(UUID uuid) {
        Optional<Consumer> changed = consumers.get(uuid);
        if (changed != null) {
            return changed.orElse(null);
        }
        Holding holding = rows.holdings().get(uuid);
        return holding == null ? null : holding.consumer();
    }

    void setConsumer(UUID uuid, Consumer consumer) {
        consumers.put(uuid, Optional.of(consumer));
        tombstones.remove(uuid);
    }

    /**
     * Records that the consumer has no row.
     *
     * @param fence the fence of the consumer from now on
     */
    void setGone(UUID uuid, Fence fence) {
        consumers.put(uuid, Optional.empty());
        tombstones.put(uuid, fence);
    }

    /** Returns the fence of the consumer, even if it has no row. */
    Fence fence(UUID uuid) {
        Consumer consumer = consumer(uuid);
        if (consumer != null) {
            return consumer.fence();
        }
        Fence tombstone = tombstones.get(uuid);
        return tombstone != null ? tombstone : rows.tombstones().getOrDefault(uuid, Fence.NONE);
    }

    void setFence(UUID uuid, Fence fence) {
        Consumer consumer = consumer(uuid);
        if (consumer == null) {
            setGone(uuid, fence);
        } else {
            setConsumer(uuid, consumer.with(fence));
        }
    }

    /**
     * Returns the allocations of the consumer, in units by provider and class; an empty map if the consumer holds
     * nothing or does not exist.
     */
    Map<AllocationKey, Long> allocationsOf(UUID consumer) {
        Map<AllocationKey, Long> changed = allocations.get(consumer);
        return changed != null ? changed : lockedAllocationsOf(consumer);
    }

    private Map<AllocationKey, Long> lockedAllocationsOf(UUID consumer) {
        Holding holding = rows.holdings().get(consumer);
        return holding == null ? Map.of() : holding.allocations();
    }

    /**
     * Replaces the allocations of a consumer, and changes the use of inventories accordingly.
     *
     * @throws IllegalStateException if {@code now} has an allocation without an inventory
     */
    void setAllocations(UUID consumer, Map<AllocationKey, Long> now) {
        allocationsOf(consumer).forEach(this::subtract);
        now.forEach((key, units) -> inventory(key).used += units);
        allocations.put(consumer, now);
    }

    /**
     * Subtracts an allocation from the use of its inventory. The provider or inventory may not exist, as after a
     * partial restore.
     */
    private void subtract(AllocationKey key, long units) {
        ProviderState provider = providersById.get(key.providerId());
        if (provider == null) {
            return;
        }
        InventoryState inventory = provider.inventories.get(key.resourceClassId());
        if (inventory != null) {
            inventory.used -= units;
        } else {
            provider.unaccounted.computeIfPresent(key.resourceClassId(), (classId, held) -> held - units);
        }
    }

    /** Returns the provider; null if it does not exist. */
    @Nullable ProviderState provider(UUID uuid) {
        return providers.get(uuid);
    }

    /** Returns a provider that exists. */
    ProviderState providerOf(UUID uuid) {
        return Maps.require(providers, uuid);
    }

    /**
     * Returns the provider of an allocation; null if the provider does not exist, as after a partial restore. Every
     * provider of an allocation that was read is locked.
     */
    @Nullable ProviderState findProviderOf(AllocationKey key) {
        return providersById.get(key.providerId());
    }

    /**
     * Returns the provider of an allocation to write.
     *
     * @throws IllegalStateException if the provider does not exist
     */
    ProviderState providerOf(AllocationKey key) {
        ProviderState provider = findProviderOf(key);
        if (provider == null) {
            throw new IllegalStateException("allocation on provider id " + key.providerId() + ", which does not exist");
        }
        return provider;
    }

    /** Returns the id of a resource class; null if it does not exist. */
    @Nullable Integer classId(String name) {
        return rows.resourceClassIds().get(name);
    }

    /** Returns the id of a resource class that exists. */
    int classIdOf(String name) {
        return Maps.require(rows.resourceClassIds(), name);
    }

    /** Returns the name of a resource class; null if it does not exist or was not read. */
    @Nullable String className(int classId) {
        if (classNames == null) {
            classNames = new HashMap<>();
            rows.resourceClassIds().forEach((name, id) -> classNames.put(id, name));
        }
        return classNames.get(classId);
    }

    /** Returns the inventory without its use; null if the provider has none of the class. */
    @Nullable Inventory terms(AllocationKey key) {
        InventoryState inventory = providerOf(key).inventories.get(key.resourceClassId());
        return inventory == null ? null : inventory.terms;
    }

    /**
     * Returns the use of an inventory, in units; if there is no inventory, the units of {@link
     * LockedProvider#unaccounted} that accepted claims have not released.
     */
    long used(AllocationKey key) {
        ProviderState provider = providerOf(key);
        InventoryState inventory = provider.inventories.get(key.resourceClassId());
        return inventory == null ? provider.unaccounted.getOrDefault(key.resourceClassId(), 0L) : inventory.used;
    }

    private InventoryState inventory(AllocationKey key) {
        InventoryState inventory = providerOf(key).inventories.get(key.resourceClassId());
        if (inventory == null) {
            throw new IllegalStateException("allocation of class id " + key.resourceClassId() + " on provider id "
                    + key.providerId() + ", which has no such inventory");
        }
        return inventory;
    }

    /**
     * Inserts or changes an inventory. The use of an inserted one is the sum of the allocations that had no inventory.
     */
    void setInventory(AllocationKey key, Inventory terms) {
        ProviderState provider = providerOf(key);
        InventoryState inventory = provider.inventories.get(key.resourceClassId());
        if (inventory == null) {
            Long unaccounted = provider.unaccounted.remove(key.resourceClassId());
            provider.inventories.put(key.resourceClassId(),
                    new InventoryState(terms, unaccounted == null ? 0 : unaccounted));
        } else {
            inventory.terms = terms;
        }
    }

    void removeInventory(AllocationKey key) {
        providerOf(key).inventories.remove(key.resourceClassId());
    }

    /** Returns the difference between the present state and the locked rows. */
    NetEffect netEffect() {
        Map<UUID, Set<AllocationKey>> removed = new LinkedHashMap<>();
        Map<UUID, Map<AllocationKey, Long>> added = new LinkedHashMap<>();
        Map<UUID, Map<AllocationKey, Long>> kept = new LinkedHashMap<>();
        allocations.forEach((consumer, now) -> {
            Map<AllocationKey, Long> before = lockedAllocationsOf(consumer);
            if (before.isEmpty()) {
                added.put(consumer, now);
                return;
            }
            for (AllocationKey key : before.keySet()) {
                if (!now.containsKey(key)) {
                    removed.computeIfAbsent(consumer, uuid -> new LinkedHashSet<>()).add(key);
                }
            }
            now.forEach((key, units) -> (before.containsKey(key) ? kept : added)
                    .computeIfAbsent(consumer, uuid -> new LinkedHashMap<>()).put(key, units));
        });
        Map<UUID, Optional<Consumer>> written = new LinkedHashMap<>(consumers);
        // A consumer that had no row when the locks were taken is not deleted, because another transaction may have
        // inserted it since.
        written.entrySet()
                .removeIf(entry -> entry.getValue().isEmpty() && !rows.holdings().containsKey(entry.getKey()));
        Map<UUID, Fence> storedFences = new LinkedHashMap<>(tombstones);
        storedFences.values().removeIf(Fence.NONE::equals);
        var effect = new NetEffect(
                written, storedFences, removed, added, kept, new LinkedHashMap<>(), new LinkedHashMap<>(),
                new LinkedHashMap<>(), new LinkedHashSet<>(), new LinkedHashMap<>(), new LinkedHashSet<>());
        for (ProviderState provider : providers.values()) {
            addChanges(provider, effect);
        }
        return effect;
    }

    /** Adds the changes of a provider to the effect. */
    private static void addChanges(ProviderState provider, NetEffect effect) {
        boolean isChanged = provider.rises > 0;
        if (isChanged) {
            effect.generationRises().put(provider.id(), provider.rises);
        }
        Set<Integer> classIds = new HashSet<>(provider.locked.inventories().keySet());
        classIds.addAll(provider.inventories.keySet());
        for (int classId : classIds) {
            var key = new AllocationKey(provider.id(), classId);
            LockedInventory before = provider.locked.inventories().get(classId);
            InventoryState after = provider.inventories.get(classId);
            if (after == null) {
                effect.removedInventories().add(key);
                isChanged = true;
            } else if (before == null) {
                effect.newInventories().put(key, after.terms);
                isChanged = true;
            } else {
                if (after.used != before.used()) {
                    effect.usedChanges().put(key, after.used - before.used());
                    isChanged = true;
                }
                if (!after.terms.equals(before.terms())) {
                    effect.changedInventories().put(key, after.terms);
                    isChanged = true;
                }
            }
        }
        if (isChanged) {
            effect.changedProviders().add(provider.id());
        }
    }
}
