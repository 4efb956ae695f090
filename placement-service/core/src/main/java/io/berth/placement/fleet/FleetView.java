package io.berth.placement.fleet;

import io.berth.placement.fleet.index.SlotIndex;
import io.berth.placement.fleet.index.Slots;
import io.berth.placement.fleet.index.SnapshotMap;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * All resource providers, resource classes and traits as of one snapshot of the database. Immutable; a request uses the
 * same view for its whole response.
 *
 * <p>Each provider tree has a slot, a number from 0 to {@link #slotCount} - 1. A tree keeps its slot as long as it
 * exists; a slot may be free. For each trait, resource class and aggregate, an index has the ascending set of the slots
 * of trees in which any provider has it. A search selects the condition of its query that allows the fewest slots, and
 * visits only these.
 *
 * <p>A provider whose parents do not lead to its {@code root_id}, for example after manual SQL, is {@linkplain #leftOut
 * left out} of the trees and the indexes until the rows are consistent. So the parent and the root of every other
 * provider are in the provider's own tree.
 */
public final class FleetView {
    /** The estimated bytes of heap of one provider, with its share of trees and indexes. */
    public static final int PROVIDER_BYTES = 2_000;
    /**
     * The estimated bytes of heap of one provider's entries in maps. Views share the maps until hundreds of entries
     * have changed.
     */
    private static final int ENTRY_BYTES = 300;

    private final String lineage;
    private final long version;
    private final RecentChanges recent;
    private final NameCatalogue resourceClasses;
    private final NameCatalogue traits;
    private final Trees trees;
    /** All providers, including those that are left out. */
    private final SnapshotMap<Long, Provider> byId;
    /** The providers that are not left out, as in {@link #byName}. */
    private final SnapshotMap<UUID, Provider> byUuid;
    private final SnapshotMap<String, Provider> byName;
    /** The slot of each tree, by id of its root. */
    private final SnapshotMap<Long, Integer> slotOfRoot;
    /** The providers whose parents do not lead to their {@code root_id}, by {@code root_id}. */
    private final SnapshotMap<Long, List<Provider>> leftOut;
    private final SlotIndex<Integer> byTrait;
    private final SlotIndex<Integer> byClass;
    private final SlotIndex<UUID> byAggregate;
    /** By resource class id; there is no entry for a class that no tree has free. */
    private final SnapshotMap<Integer, TreeRoom> roomByClass;
    /** The free slots; only the first {@code freeCount} elements are in use. Successive views share the array. */
    private final int[] freeSlots;
    private final int freeCount;

    private FleetView(
            String lineage, long version, RecentChanges recent, NameCatalogue resourceClasses, NameCatalogue traits,
            Trees trees,
            SnapshotMap<Long, Provider> byId, SnapshotMap<UUID, Provider> byUuid, SnapshotMap<String, Provider> byName,
            SnapshotMap<Long, Integer> slotOfRoot, SnapshotMap<Long, List<Provider>> leftOut,
            SlotIndex<Integer> byTrait, SlotIndex<Integer> byClass, SlotIndex<UUID> byAggregate,
            SnapshotMap<Integer, TreeRoom> roomByClass, int[] freeSlots, int freeCount) {
        this.lineage = lineage;
        this.version = version;
        this.recent = recent;
        this.resourceClasses = resourceClasses;
        this.traits = traits;
        this.trees = trees;
        this.byId = byId;
        this.byUuid = byUuid;
        this.byName = byName;
        this.slotOfRoot = slotOfRoot;
        this.leftOut = leftOut;
        this.byTrait = byTrait;
        this.byClass = byClass;
        this.byAggregate = byAggregate;
        this.roomByClass = roomByClass;
        this.freeSlots = freeSlots;
        this.freeCount = freeCount;
    }

    /** Returns an empty view, with which a new lineage begins. */
    public static FleetView empty() {
        String lineage = Long.toUnsignedString(UUID.randomUUID().getMostSignificantBits(), Character.MAX_RADIX);
        return new FleetView(
                lineage, 0, RecentChanges.NONE, NameCatalogue.empty(), NameCatalogue.empty(), Trees.NONE,
                SnapshotMap.empty(), SnapshotMap.empty(), SnapshotMap.empty(), SnapshotMap.empty(), SnapshotMap.empty(),
                SlotIndex.empty(), SlotIndex.empty(), SlotIndex.empty(), SnapshotMap.empty(), new int[0], 0);
    }

    /**
     * Returns the random name, of letters and digits, of the {@link #empty} view that this view is derived from. All
     * views of one replica, until it is restarted, have the same lineage.
     */
    public String lineage() {
        return lineage;
    }

    /**
     * Returns the version of the view. {@link #with} raises it by one; an empty view has version 0. Versions can be
     * compared only within a lineage.
     */
    public long version() {
        return version;
    }

    /**
     * Returns trees that changed after a version of the same lineage and still exist, the latest change last: at most
     * {@link RecentChanges#COUNT_MAX}, and none with more than {@link RecentChanges#PROVIDERS_MAX} providers. A tree in
     * which only the name of a resource class or trait changed is not listed.
     */
    public List<ChangedTree> changedAfter(long version) {
        return recent.after(version);
    }

    public NameCatalogue resourceClasses() {
        return resourceClasses;
    }

    public NameCatalogue traits() {
        return traits;
    }

    /** Returns the number of providers, without those that are left out. */
    public int providerCount() {
        return byUuid.size();
    }

    /**
     * Returns the estimated bytes of heap that this view takes in addition to {@code other}. Views share equal objects.
     */
    public long bytesInAdditionTo(FleetView other) {
        long changed = trees.providersMissingIn(other.trees);
        return changed == 0 ? 0 : PROVIDER_BYTES * changed + ENTRY_BYTES * (long) providerCount();
    }

    /** Returns the provider with this uuid; null if there is none or the provider is left out. */
    public @Nullable Provider find(UUID uuid) {
        return byUuid.get(uuid);
    }

    /** Returns the provider with this name; null if there is none or the provider is left out. */
    public @Nullable Provider find(String name) {
        return byName.get(name);
    }

    /** Returns the provider with this id; null if there is none or the provider is left out. */
    public @Nullable Provider find(long id) {
        Provider provider = byId.get(id);
        return provider == null || containsId(leftOut.get(provider.rootId()), provider) ? null : provider;
    }

    /** Returns the provider with this id, which must be the parent or the root of a provider of this view. */
    public Provider get(long id) {
        return Objects.requireNonNull(find(id), () -> "no provider has the id " + id);
    }

    private static boolean containsId(@Nullable List<Provider> providers, Provider provider) {
        return providers != null && providers.stream().anyMatch(member -> member.id() == provider.id());
    }

    /** Returns the provider with this id, even if it is left out; null if there is none. */
    @Nullable Provider findInTables(long id) {
        return byId.get(id);
    }

    /** Returns the ids of all providers, even those that are left out, in any order. */
    LongStream idsInTables() {
        LongStream.Builder ids = LongStream.builder();
        byId.forEach((id, provider) -> ids.add(id));
        return ids.build();
    }

    /**
     * Returns the providers whose parents do not lead to their {@code root_id}, by {@code root_id}. Requests do not
     * find these providers, except the audit, the readiness probe and an update of such a provider.
     */
    public Map<Long, List<Provider>> leftOut() {
        if (leftOut.size() == 0) {
            return Map.of();
        }
        Map<Long, List<Provider>> all = new TreeMap<>();
        leftOut.forEach(all::put);
        return all;
    }

    /** Returns the number of slots, free ones included. */
    public int slotCount() {
        return trees.length();
    }

    /** Returns the tree in a slot that is not free. */
    public ProviderTree tree(int slot) {
        return trees.get(slot);
    }

    /** Returns the tree in a slot; null if the slot is free. */
    public @Nullable ProviderTree findTree(int slot) {
        return trees.get(slot);
    }

    /** Returns the tree of a provider of this view that is not left out. */
    public ProviderTree treeOf(Provider provider) {
        return trees.get(slotOf(provider));
    }

    /** Returns the tree with this root id; null if there is none. */
    public @Nullable ProviderTree treeOfRoot(long rootId) {
        Integer slot = slotOfRoot.get(rootId);
        return slot == null ? null : trees.get(slot);
    }

    /** Returns the slot of the tree of a provider that is not left out. */
    public int slotOf(Provider provider) {
        return Objects.requireNonNull(slotOfRoot.get(provider.rootId()), "the provider is not in this view");
    }

    /** Returns the slots of the trees in which any provider has the trait. */
    public Slots slotsWithTrait(int traitId) {
        return byTrait.get(traitId);
    }

    /** Returns the slots of the trees in which any provider has an inventory of the class. */
    public Slots slotsWithClass(int classId) {
        return byClass.get(classId);
    }

    /** Returns, for each tree, an upper bound of the amount of one more allocation of the class. */
    public TreeRoom room(int classId) {
        TreeRoom room = roomByClass.get(classId);
        return room == null ? TreeRoom.NONE : room;
    }

    /** Returns the slots of the trees in which any provider is in the aggregate. */
    public Slots slotsInAggregate(UUID aggregate) {
        return byAggregate.get(aggregate);
    }

    /** Calls {@code action} for every provider that is not left out, tree by tree. */
    public void forEachProvider(Consumer<Provider> action) {
        for (int slot = 0; slot < trees.length(); slot++) {
            ProviderTree tree = trees.get(slot);
            if (tree != null) {
                tree.nodes().forEach(action);
            }
        }
    }

    /**
     * Returns the view after a change.
     *
     * @param changed the present state of each provider that was inserted or changed
     * @param deletedIds ids of the providers that were deleted; unknown ids are ignored
     * @param classChanges see {@link NameCatalogue#with}
     * @param traitChanges see {@link NameCatalogue#with}
     */
    public FleetView with(
            Collection<Provider> changed, Collection<Long> deletedIds,
            List<NameCatalogue.Entry> classChanges, List<NameCatalogue.Entry> traitChanges) {
        var classesNow = classChanges.isEmpty() ? resourceClasses : resourceClasses.with(classChanges);
        var traitsNow = traitChanges.isEmpty() ? traits : traits.with(traitChanges);
        if (changed.isEmpty() && deletedIds.isEmpty()) {
            return new FleetView(
                    lineage, version + 1, recent, classesNow, traitsNow, trees, byId, byUuid, byName, slotOfRoot,
                    leftOut, byTrait, byClass, byAggregate, roomByClass, freeSlots, freeCount);
        }
        return new Change().apply(changed, deletedIds, classesNow, traitsNow, version + 1);
    }

    /**
     * Returns the view of a scenario. Lineage and version stay the same, because the fleet has not changed. The cost is
     * that of {@link #with}.
     *
     * @param changed the state in the scenario of each provider that is added or changed; an added provider has an id
     *         that is not in use
     * @param deletedIds ids of the providers that do not exist in the scenario
     */
    public FleetView withScenario(Collection<Provider> changed, Collection<Long> deletedIds) {
        return changed.isEmpty() && deletedIds.isEmpty()
                ? this
                : new Change().apply(changed, deletedIds, resourceClasses, traits, version);
    }

    /** The state of one call of {@link #with} or {@link #withScenario}. */
    private final class Change {
        private final SnapshotMap.Editor<Long, Provider> ids = byId.edit();
        private final SnapshotMap.Editor<UUID, Provider> uuids = byUuid.edit();
        private final SnapshotMap.Editor<String, Provider> names = byName.edit();
        private final SnapshotMap.Editor<Long, Integer> slots = slotOfRoot.edit();
        private final SnapshotMap.Editor<Long, List<Provider>> leftOut = FleetView.this.leftOut.edit();
        private final Trees.Editor trees = FleetView.this.trees.edit();
        private final SlotIndex.Editor<Integer> traitIndex = byTrait.edit();
        private final SlotIndex.Editor<Integer> classIndex = byClass.edit();
        private final SlotIndex.Editor<UUID> aggregateIndex = byAggregate.edit();
        private final Map<Integer, TreeRoom.Editor> rooms = new HashMap<>();
        /** The providers of each changed tree after the change, by {@code root_id}, and then by provider id. */
        private final Map<Long, Map<Long, Provider>> members = new HashMap<>();
        /** The changed trees that still exist. */
        private final List<ProviderTree> newTrees = new ArrayList<>();
        /** The slots that become free. */
        private final List<Integer> released = new ArrayList<>();
        /**
         * The providers, after the change, of those changed trees that had left-out providers before it. Some of the
         * providers in this list may have been left out, and must be added to the look-ups.
         */
        private final List<Provider> restored = new ArrayList<>();
        /** The free slots after the change; only the first {@code freeCountNow} elements are in use. */
        private int[] freeSlotsNow = freeSlots;
        private int freeCountNow = freeCount;
        private int slotCountNow = FleetView.this.trees.length();

        FleetView apply(
                Collection<Provider> changed, Collection<Long> deletedIds, NameCatalogue classesNow,
                NameCatalogue traitsNow, long versionNow) {
            // Removes all old states before it adds the new ones, because providers may have exchanged names or uuids.
            for (long id : deletedIds) {
                removeOld(byId.get(id));
            }
            for (Provider now : changed) {
                removeOld(byId.get(now.id()));
            }
            for (Provider now : changed) {
                ids.put(now.id(), now);
                membersOf(now.rootId()).put(now.id(), now);
            }
            members.forEach(this::replaceTree);
            for (Provider now : changed) {
                if (!containsId(leftOut.get(now.rootId()), now)) {
                    addToLookups(now);
                }
            }
            restored.forEach(this::addToLookups);
            // Releases slots last, because a slot that is freed and reused in one change would be twice in the indexes.
            released.forEach(this::release);
            return new FleetView(
                    lineage, versionNow,
                    versionNow == version ? recent : recent.with(versionNow, members.keySet(), newTrees),
                    classesNow, traitsNow,
                    trees.done(), ids.done(), uuids.done(), names.done(), slots.done(),
                    leftOut.done(), traitIndex.done(), classIndex.done(), aggregateIndex.done(), roomsNow(),
                    freeSlotsNow, freeCountNow);
        }

        private SnapshotMap<Integer, TreeRoom> roomsNow() {
            SnapshotMap.Editor<Integer, TreeRoom> now = roomByClass.edit();
            rooms.forEach((classId, edited) -> {
                TreeRoom room = edited.done();
                // Removes empty entries, because the id of a deleted resource class is never used again.
                if (room.isAllZero()) {
                    now.remove(classId);
                } else if (room != room(classId)) {
                    now.put(classId, room);
                }
            });
            return now.done();
        }

        /** Makes the provider visible to look-ups by uuid and name. */
        private void addToLookups(Provider now) {
            uuids.put(now.uuid(), now);
            names.put(now.name(), now);
        }

        private void removeFromLookups(Provider old) {
            uuids.remove(old.uuid());
            names.remove(old.name());
        }

        private void removeOld(@Nullable Provider old) {
            if (old != null) {
                ids.remove(old.id());
                removeFromLookups(old);
                membersOf(old.rootId()).remove(old.id());
            }
        }

        /** Returns the element of {@link #members} for this root. On first use, fills it with the present providers. */
        private Map<Long, Provider> membersOf(long rootId) {
            return members.computeIfAbsent(rootId, id -> {
                var now = new HashMap<Long, Provider>();
                Integer slot = slotOfRoot.get(id);
                if (slot != null) {
                    FleetView.this.trees.get(slot).nodes().forEach(node -> now.put(node.id(), node));
                }
                List<Provider> leftOutBefore = FleetView.this.leftOut.get(id);
                if (leftOutBefore != null) {
                    leftOutBefore.forEach(provider -> now.put(provider.id(), provider));
                }
                return now;
            });
        }

        /**
         * Replaces the tree of a root in all collections; removes the tree if the root no longer exists.
         *
         * @param now all providers with this {@code root_id} after the change, by id; those that are not in the tree
         *         are left out
         */
        private void replaceTree(long rootId, Map<Long, Provider> now) {
            Integer oldSlot = slotOfRoot.get(rootId);
            ProviderTree before = oldSlot == null ? null : FleetView.this.trees.get(oldSlot);
            ProviderTree tree =
                    now.isEmpty() ? null : ProviderTree.build(now.values().toArray(Provider[]::new), rootId);
            List<Provider> outside = membersOutside(tree, now.values());
            if (leftOut.get(rootId) != null) {
                leftOut.remove(rootId);
                restored.addAll(tree == null ? List.of() : tree.nodes());
            }
            if (!outside.isEmpty()) {
                outside.forEach(this::removeFromLookups);
                leftOut.put(rootId, outside);
            }
            if (tree == null) {
                if (oldSlot != null) {
                    reindex(before, null, oldSlot);
                    trees.set(oldSlot, null);
                    slots.remove(rootId);
                    released.add(oldSlot);
                }
                return;
            }
            newTrees.add(tree);
            int slot = oldSlot == null ? takeSlot() : oldSlot;
            reindex(before, tree, slot);
            trees.set(slot, tree);
            if (oldSlot == null) {
                slots.put(rootId, slot);
            }
        }

        /** Returns the members that are not in the tree. */
        private static List<Provider> membersOutside(@Nullable ProviderTree tree, Collection<Provider> members) {
            return tree != null && tree.size() == members.size()
                    ? List.of()
                    : members.stream().filter(member -> tree == null || tree.find(member.id()) < 0).toList();
        }

        private int takeSlot() {
            return freeCountNow > 0 ? freeSlotsNow[--freeCountNow] : slotCountNow++;
        }

        private void release(int slot) {
            // Earlier views share the array, so the free slot is written to a copy.
            int[] grown = Arrays.copyOf(freeSlotsNow, Math.max(freeCountNow + 1, freeSlotsNow.length));
            grown[freeCountNow++] = slot;
            freeSlotsNow = grown;
        }

        /** Updates the entries of a slot in {@link #roomByClass}. */
        private void setRoom(int[] classIds, @Nullable ProviderTree after, int slot) {
            for (int classId : classIds) {
                rooms.computeIfAbsent(classId, _ -> room(classId).edit()).set(slot, TreeRoom.entryOf(after, classId));
            }
        }

        /** Updates all indexes for a slot. */
        private void reindex(@Nullable ProviderTree before, @Nullable ProviderTree after, int slot) {
            int[] traitsBefore = before == null ? NO_IDS : before.traitIds();
            int[] traitsAfter = after == null ? NO_IDS : after.traitIds();
            indexInts(traitIndex, traitsBefore, traitsAfter, slot);
            int[] classesBefore = before == null ? NO_IDS : before.classIds();
            int[] classesAfter = after == null ? NO_IDS : after.classIds();
            indexInts(classIndex, classesBefore, classesAfter, slot);
            if (!Arrays.equals(classesBefore, classesAfter)) {
                setRoom(classesBefore, after, slot);
            }
            setRoom(classesAfter, after, slot);
            Collection<UUID> aggregatesBefore = aggregates(before);
            Collection<UUID> aggregatesAfter = aggregates(after);
            for (UUID aggregate : aggregatesAfter) {
                if (!aggregatesBefore.contains(aggregate)) {
                    aggregateIndex.add(aggregate, slot);
                }
            }
            for (UUID aggregate : aggregatesBefore) {
                if (!aggregatesAfter.contains(aggregate)) {
                    aggregateIndex.remove(aggregate, slot);
                }
            }
        }
    }

    private static final int[] NO_IDS = {};

    private static void indexInts(SlotIndex.Editor<Integer> index, int[] before, int[] after, int slot) {
        if (Arrays.equals(before, after)) {
            return;
        }
        for (int key : after) {
            if (Arrays.binarySearch(before, key) < 0) {
                index.add(key, slot);
            }
        }
        for (int key : before) {
            if (Arrays.binarySearch(after, key) < 0) {
                index.remove(key, slot);
            }
        }
    }

    private static Collection<UUID> aggregates(@Nullable ProviderTree tree) {
        if (tree == null) {
            return List.of();
        }
        if (tree.size() == 1) {
            return Arrays.asList(tree.root().aggregates());
        }
        var all = new java.util.LinkedHashSet<UUID>();
        tree.nodes().forEach(node -> all.addAll(Arrays.asList(node.aggregates())));
        return all;
    }

    /** Returns all providers that are not left out, in the order of creation, as a new list. */
    public List<Provider> listProviders() {
        var all = new ArrayList<Provider>(providerCount());
        forEachProvider(all::add);
        all.sort(java.util.Comparator.comparingLong(Provider::id));
        return all;
    }
}
