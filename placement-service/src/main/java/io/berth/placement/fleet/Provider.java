package io.berth.placement.fleet;

import java.util.Arrays;
import java.util.Objects;
import java.util.UUID;

/**
 * One resource provider as of a view: its own inventories with their use, its traits and its aggregates.
 * Immutable but for the JSON kept beside it (made lazily, the same whoever makes it).
 *
 * @param id the database's; order of creation
 * @param name unique in the fleet
 * @param parentId 0 for a root
 * @param rootId equals {@code id} for a root
 * @param updatedAtMs epoch milliseconds of the last change of the provider row
 * @param traitIds ascending, see {@link NameCatalogue}
 * @param aggregates ascending by {@link UUID#compareTo}
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
        Rendered rendered) {

    public Provider {
        Objects.requireNonNull(uuid, "uuid");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(inventories, "inventories");
        Arrays.sort(traitIds);
        Arrays.sort(aggregates);
    }

    public Provider(
            long id, UUID uuid, String name, int generation, long parentId, long rootId, long updatedAtMs,
            Inventories inventories, int[] traitIds, UUID[] aggregates) {
        this(id, uuid, name, generation, parentId, rootId, updatedAtMs, inventories, traitIds, aggregates, new Rendered());
    }

    public boolean isRoot() {
        return parentId == 0;
    }

    public boolean hasTrait(int traitId) {
        return Arrays.binarySearch(traitIds, traitId) >= 0;
    }

    public boolean isIn(UUID aggregate) {
        return Arrays.binarySearch(aggregates, aggregate) >= 0;
    }

    /** JSON bytes of this provider, one slot per wire form; filled by whoever renders first. Races are benign. */
    public static final class Rendered {
        private final byte[][] forms = new byte[FORMS][];
        static final int FORMS = 2;

        /** Null when not rendered yet. */
        public byte[] get(int form) {
            return forms[form];
        }

        public void set(int form, byte[] json) {
            forms[form] = json;
        }
    }
}
