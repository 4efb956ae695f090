package io.berth.placement.fleet;

import io.berth.placement.fleet.index.Slots;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * One resource provider as of a view: its inventories with their use, its traits and its aggregates. Immutable, except
 * for the cached JSON. Thread-safe. The arrays must not be modified.
 *
 * @param id id in the database; ids ascend in the order of creation
 * @param name name, unique in the fleet
 * @param parentId id of the parent; 0 for a root
 * @param rootId id of the root of the tree; {@code id} for a root
 * @param updatedAtMs epoch milliseconds of the latest change of the provider's row
 * @param traitIds ids of the traits, ascending (the constructor sorts the array), see {@link NameCatalogue}
 * @param aggregates the aggregates, ascending by {@link UUID#compareTo} (the constructor sorts the array)
 * @param spellings the client's spelling of each aggregate for which it differs from {@link UUID#toString}
 * @param rendered cached JSON of the provider's summary
 */
public record Provider(
        long id,
        UUID uuid,
        String name,
        int generation,
        long parentId,
        long rootId,
        long updatedAtMs,
        Inventories inventories,
        int[] traitIds,
        UUID[] aggregates,
        Map<UUID, String> spellings,
        Rendered rendered) {

    public Provider {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(inventories, "inventories");
        Arrays.sort(traitIds);
        Arrays.sort(aggregates);
        spellings = Map.copyOf(spellings);
    }

    public Provider(
            long id, UUID uuid, String name, int generation, long parentId, long rootId, long updatedAtMs,
            Inventories inventories, int[] traitIds, UUID[] aggregates) {
        this(
                id, uuid, name, generation, parentId, rootId, updatedAtMs, inventories, traitIds, aggregates, Map.of(),
                new Rendered());
    }

    /** Returns the same provider with other inventories, traits and aggregates. */
    public Provider with(Inventories inventories, int[] traitIds, UUID[] aggregates) {
        return new Provider(
                id, uuid, name, generation, parentId, rootId, updatedAtMs, inventories, traitIds, aggregates, spellings,
                new Rendered());
    }

    /**
     * Returns the same provider with another use.
     *
     * @param used the use of each inventory, by position
     */
    public Provider withUsed(long[] used) {
        Inventories now = inventories;
        return with(
                new Inventories(
                        now.classIds(), now.total(), now.reserved(), now.minUnit(), now.maxUnit(), now.stepSize(),
                        now.allocationRatio(), used, now.updatedAtMs()),
                traitIds, aggregates);
    }

    /** Returns whether all values that are read from the tables are equal. */
    boolean isSame(Provider other) {
        return updatedAtMs == other.updatedAtMs
                && inventories.updatedAtMs() == other.inventories().updatedAtMs()
                && isSameButForTimes(other);
    }

    /** Returns whether all values but the times of the latest changes are equal. */
    boolean isSameButForTimes(Provider other) {
        return id == other.id
                && uuid.equals(other.uuid)
                && name.equals(other.name)
                && generation == other.generation
                && parentId == other.parentId
                && rootId == other.rootId
                && Arrays.equals(traitIds, other.traitIds)
                && Arrays.equals(aggregates, other.aggregates)
                && spellings.equals(other.spellings)
                && inventories.isSameButForTimes(other.inventories);
    }

    public boolean isRoot() {
        return parentId == 0;
    }

    public boolean hasTrait(int traitId) {
        return Arrays.binarySearch(traitIds, traitId) >= 0;
    }

    /** Returns whether the provider has at least one of these traits. */
    public boolean hasAny(int[] traitIds) {
        for (int traitId : traitIds) {
            if (hasTrait(traitId)) {
                return true;
            }
        }
        return false;
    }

    public boolean isIn(UUID aggregate) {
        // With the usual few aggregates, a linear search is faster than a binary search, because a comparison of uuids
        // for order is slow.
        for (UUID own : aggregates) {
            if (own.equals(aggregate)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the aggregates in the spellings of their clients. */
    public List<String> aggregateTexts() {
        return Arrays.stream(aggregates).map(each -> spellings.getOrDefault(each, each.toString())).toList();
    }

    /** Returns whether the provider is in at least one of these aggregates. */
    public boolean isInAny(UUID[] aggregates) {
        for (UUID aggregate : aggregates) {
            if (isIn(aggregate)) {
                return true;
            }
        }
        return false;
    }

    /**
     * The cached provider summary of a provider, as JSON in two forms. A data race is harmless: all threads render
     * equal bytes, and the records are immutable. The cache contains the {@link NameCatalogue#renames} of the resource
     * classes at which the bytes were rendered, because a resource class may be renamed without a change of the
     * provider.
     */
    public static final class Rendered {
        /** The form with all resource classes and traits. */
        public static final int SUMMARY_WITH_ALL_CLASSES = 0;
        /** The form with all resource classes and traits, the parent and the root. */
        public static final int SUMMARY_WITH_RELATIVES = 1;

        private record Form(int renames, byte[] json) {}

        // Two fields instead of an array, because an array would be one more access to memory for each of the thousands
        // of providers in a response.
        private @Nullable Form withAllClasses;
        private @Nullable Form withRelatives;

        /**
         * Returns the cached bytes; null if there are none, or they were rendered at another number of renames.
         *
         * @param formIndex the form, one of the constants
         * @param renames the present {@link NameCatalogue#renames} of the resource classes
         */
        public @Nullable byte[] get(int formIndex, int renames) {
            Form form = formIndex == SUMMARY_WITH_ALL_CLASSES ? withAllClasses : withRelatives;
            return form == null || form.renames() != renames ? null : form.json();
        }

        /** Stores rendered bytes; the parameters are as in {@link #get}. */
        public void set(int formIndex, int renames, byte[] json) {
            Form form = new Form(renames, json);
            if (formIndex == SUMMARY_WITH_ALL_CLASSES) {
                withAllClasses = form;
            } else {
                withRelatives = form;
            }
        }
    }
}
