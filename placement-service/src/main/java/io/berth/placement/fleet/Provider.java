package io.berth.placement.fleet;

import io.berth.placement.fleet.index.Slots;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * One resource provider as of a view: its own inventories with their use, its traits and its aggregates. Immutable
 * except for the cached JSON, which is rendered lazily and equal on every thread.
 *
 * @param id of the row in the database; ascends in order of creation
 * @param name unique in the fleet
 * @param parentId 0 for a root
 * @param rootId equals {@code id} for a root
 * @param updatedAtMs epoch milliseconds of the last change of the provider row
 * @param traitIds ascending, see {@link NameCatalogue}
 * @param aggregates ascending by {@link UUID#compareTo}
 * @param spellings the client's spelling of each aggregate that it wrote in another form than {@link UUID#toString}
 * @param rendered cached JSON
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

    /** Returns the same provider with other contents. */
    public Provider with(Inventories inventories, int[] traitIds, UUID[] aggregates) {
        return new Provider(
                id, uuid, name, generation, parentId, rootId, updatedAtMs, inventories, traitIds, aggregates, spellings,
                new Rendered());
    }

    /**
     * Returns the same provider with another use.
     *
     * @param used by position in the inventories
     */
    public Provider withUsed(long[] used) {
        Inventories now = inventories;
        return with(
                new Inventories(
                        now.classIds(), now.total(), now.reserved(), now.minUnit(), now.maxUnit(), now.stepSize(),
                        now.allocationRatio(), used, now.updatedAtMs()),
                traitIds, aggregates);
    }

    /** Compares everything that is read from the tables. */
    boolean isSame(Provider other) {
        return updatedAtMs == other.updatedAtMs
                && inventories.updatedAtMs() == other.inventories().updatedAtMs()
                && isSameButForTimes(other);
    }

    /** Compares everything that a client can see, except the time of the last change. */
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

    public boolean hasAny(int[] traitIds) {
        for (int traitId : traitIds) {
            if (hasTrait(traitId)) {
                return true;
            }
        }
        return false;
    }

    public boolean isIn(UUID aggregate) {
        // A linear search is faster than a binary one: there are few aggregates, and comparing the order of uuids is
        // slow.
        for (UUID one : aggregates) {
            if (one.equals(aggregate)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the aggregates as their clients wrote them. */
    public List<String> aggregateTexts() {
        return Arrays.stream(aggregates).map(each -> spellings.getOrDefault(each, each.toString())).toList();
    }

    public boolean isInAny(UUID[] aggregates) {
        for (UUID aggregate : aggregates) {
            if (isIn(aggregate)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Cached JSON bytes of this provider, one slot for each wire form, filled by the first renderer. Races are benign.
     * A resource class or trait may be renamed without a change of the provider, so the bytes are kept with the {@link
     * NameCatalogue#renames} at which they were rendered.
     */
    public static final class Rendered {
        /** Slots: summary with all classes and traits; the same with parent and root. */
        public static final int SUMMARY_OF_FLAT = 0;
        public static final int SUMMARY_IN_TREE = 1;

        private record Form(int renames, byte[] json) {}

        // Two fields instead of an array: a search reads a thousand of these objects, and an array would cost each one
        // more access to memory.
        private Form ofFlat;
        private Form inTree;

        /** Returns null if it is not rendered yet, or was rendered at another number of renames. */
        public byte[] get(int slot, int renames) {
            Form form = slot == SUMMARY_OF_FLAT ? ofFlat : inTree;
            return form == null || form.renames() != renames ? null : form.json();
        }

        public void set(int slot, int renames, byte[] json) {
            Form form = new Form(renames, json);
            if (slot == SUMMARY_OF_FLAT) {
                ofFlat = form;
            } else {
                inTree = form;
            }
        }
    }
}
