package io.berth.placement.ledger.claim;

import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.LockedRows.Holding;
import io.berth.placement.ledger.claim.LockedRows.LockedInventory;
import io.berth.placement.ledger.claim.LockedRows.LockedProvider;
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

/** The state of the locked rows after the claims accepted so far. For one batch; not thread-safe. */
final class ClaimState {
    private final LockedRows rows;
    private final Map<UUID, Optional<Consumer>> consumers = new LinkedHashMap<>();
    private final Map<UUID, Fence> tombstones = new LinkedHashMap<>();
    private final Map<UUID, Map<AllocationKey, Long>> allocations = new LinkedHashMap<>();
    private final Map<UUID, ProviderState> providers = new HashMap<>();
    private final Map<Long, ProviderState> providersById = new HashMap<>();
    private Map<Integer, String> classNames;

    ClaimState(LockedRows rows) {
        this.rows = rows;
        for (LockedProvider locked : rows.providers().values()) {
            var provider = new ProviderState(locked);
            providers.put(locked.uuid(), provider);
            providersById.put(locked.id(), provider);
        }
    }

    /** An inventory's terms and use; the terms may be replaced. */
    private static final class InventoryState {
        private Inventory terms;
        private long used;

        private InventoryState(Inventory terms, long used) {
            this.terms = terms;
            this.used = used;
        }
    }

    static final class ProviderState {
        private final LockedProvider locked;
        private final Map<Integer, InventoryState> inventories = new LinkedHashMap<>();
        private final Map<Integer, Long> unaccounted;
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

        boolean hasAnyOf(Set<Integer> classIds) {
            return inventories.keySet().stream().anyMatch(classIds::contains);
        }

        /** Returns a copy of the ids of the classes with an inventory. */
        List<Integer> classIds() {
            return new ArrayList<>(inventories.keySet());
        }
    }

    /** Returns the consumer; null if it does not exist. */
    Consumer consumer(UUID uuid) {
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
     * Marks the consumer as deleted, or as not created.
     *
     * @param left its fence from then on
     */
    void setGone(UUID uuid, Fence left) {
        consumers.put(uuid, Optional.empty());
        tombstones.put(uuid, left);
    }

    /** Returns the fence of the consumer, which need not exist. */
    Fence fence(UUID uuid) {
        Consumer consumer = consumer(uuid);
        if (consumer != null) {
            return consumer.fence();
        }
        Fence left = tombstones.get(uuid);
        return left != null ? left : rows.tombstones().getOrDefault(uuid, Fence.NONE);
    }

    void setFence(UUID uuid, Fence fence) {
        Consumer consumer = consumer(uuid);
        if (consumer == null) {
            setGone(uuid, fence);
        } else {
            setConsumer(uuid, consumer.with(fence));
        }
    }

    /** Returns the units by provider and class; empty for a consumer that holds nothing or does not exist. */
    Map<AllocationKey, Long> allocationsOf(UUID consumer) {
        Map<AllocationKey, Long> changed = allocations.get(consumer);
        return changed != null ? changed : lockedAllocationsOf(consumer);
    }

    private Map<AllocationKey, Long> lockedAllocationsOf(UUID consumer) {
        Holding holding = rows.holdings().get(consumer);
        return holding == null ? Map.of() : holding.allocations();
    }

    void setAllocations(UUID consumer, Map<AllocationKey, Long> now) {
        allocationsOf(consumer).forEach(this::giveUp);
        now.forEach((key, units) -> inventory(key).used += units);
        allocations.put(consumer, now);
    }

    /** Removes the allocation even if its provider or inventory is gone, as after a partial restore. */
    private void giveUp(AllocationKey key, long units) {
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
    ProviderState provider(UUID uuid) {
        return providers.get(uuid);
    }

    /**
     * Returns the provider of an allocation; null if it is gone, as after a partial restore. Every provider that exists
     * is among the locked ones.
     */
    ProviderState findProviderOf(AllocationKey key) {
        return providersById.get(key.providerId());
    }

    /** Returns the provider of an allocation that is written. */
    ProviderState providerOf(AllocationKey key) {
        ProviderState provider = findProviderOf(key);
        if (provider == null) {
            throw new IllegalStateException("allocation on provider id " + key.providerId() + ", which does not exist");
        }
        return provider;
    }

    /** Returns null if the class does not exist. */
    Integer classId(String name) {
        return rows.resourceClassIds().get(name);
    }

    String className(int classId) {
        if (classNames == null) {
            classNames = new HashMap<>();
            rows.resourceClassIds().forEach((name, id) -> classNames.put(id, name));
        }
        return classNames.get(classId);
    }

    /** Returns null when the provider has no inventory of the class. */
    Inventory terms(AllocationKey key) {
        InventoryState inventory = providerOf(key).inventories.get(key.resourceClassId());
        return inventory == null ? null : inventory.terms;
    }

    /** Returns the used units; if there is no inventory, those of {@link LockedProvider#unaccounted}. */
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

    void setInventory(AllocationKey key, Inventory terms) {
        ProviderState provider = providerOf(key);
        InventoryState inventory = provider.inventories.get(key.resourceClassId());
        if (inventory == null) {
            Long unaccounted = provider.unaccounted.remove(key.resourceClassId());
            provider.inventories.put(key.resourceClassId(), new InventoryState(terms, unaccounted == null ? 0 : unaccounted));
        } else {
            inventory.terms = terms;
        }
    }

    void removeInventory(AllocationKey key) {
        providerOf(key).inventories.remove(key.resourceClassId());
    }

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
        // A consumer that did not exist when the locks were taken may have been created by another transaction since;
        // it is not deleted.
        written.entrySet().removeIf(entry -> entry.getValue().isEmpty() && !rows.holdings().containsKey(entry.getKey()));
        Map<UUID, Fence> left = new LinkedHashMap<>(tombstones);
        left.values().removeIf(Fence.NONE::equals);
        var effect = new NetEffect(
                written, left, removed, added, kept, new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>(),
                new LinkedHashSet<>(), new LinkedHashMap<>(), new LinkedHashSet<>());
        for (ProviderState provider : providers.values()) {
            compare(provider, effect);
        }
        return effect;
    }

    private static void compare(ProviderState provider, NetEffect effect) {
        boolean changed = provider.rises > 0;
        if (changed) {
            effect.generationRises().put(provider.id(), provider.rises);
        }
        Set<Integer> classIds = new HashSet<>(provider.locked.inventories().keySet());
        classIds.addAll(provider.inventories.keySet());
        for (int classId : classIds) {
            var key = new AllocationKey(provider.id(), classId);
            LockedInventory before = provider.locked.inventories().get(classId);
            InventoryState after = provider.inventories.get(classId);
            if (before == null) {
                effect.newInventories().put(key, after.terms);
                changed = true;
            } else if (after == null) {
                effect.removedInventories().add(key);
                changed = true;
            } else {
                if (after.used != before.used()) {
                    effect.usedChanges().put(key, after.used - before.used());
                    changed = true;
                }
                if (!after.terms.equals(before.terms())) {
                    effect.changedInventories().put(key, after.terms);
                    changed = true;
                }
            }
        }
        if (changed) {
            effect.changedProviders().add(provider.id());
        }
    }
}
