package io.berth.placement.allocation;

import io.berth.placement.allocation.AllocationStore.Allocated;
import io.vertx.mutiny.sqlclient.Row;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.Map;
import java.util.RandomAccess;
import java.util.UUID;

/**
 * A compact list of allocations, the rows of a statement of {@link AllocationStore}: one array per column, {@value
 * #ROW_BYTES} bytes per row. {@code other} is the provider in the list of a consumer, and the consumer in the list of a
 * provider. {@link #get} creates the object of an element on each call.
 */
final class AllocatedColumns extends AbstractList<Allocated> implements RandomAccess {
    /** The memory of one row, in bytes. A reference counts as 4 bytes, as in a heap of less than 32 GB. */
    static final int ROW_BYTES = 3 * Long.BYTES + Integer.BYTES + 4;

    private final long[] uuidHighs;
    private final long[] uuidLows;
    private final int[] generations;
    private final String[] resourceClasses;
    private final long[] used;
    /** One string instance per resource class name, so that all rows of a class share the instance. */
    private final Map<String, String> names = new HashMap<>();
    private int size;
    private long updatedAtMs;

    /** @param rowsMax the largest number of rows that the list can hold */
    AllocatedColumns(int rowsMax) {
        uuidHighs = new long[rowsMax];
        uuidLows = new long[rowsMax];
        generations = new int[rowsMax];
        resourceClasses = new String[rowsMax];
        used = new long[rowsMax];
    }

    /**
     * Adds rows of a statement of {@link AllocationStore}. Skips the row with a null {@code other}, which the outer
     * join returns for a provider without allocations.
     */
    void addAll(Iterable<Row> rows) {
        for (Row row : rows) {
            UUID other = row.getUUID("other");
            if (other != null) {
                uuidHighs[size] = other.getMostSignificantBits();
                uuidLows[size] = other.getLeastSignificantBits();
                generations[size] = row.getInteger("other_generation");
                resourceClasses[size] = names.computeIfAbsent(row.getString("resource_class"), name -> name);
                used[size] = row.getLong("used");
                updatedAtMs = Math.max(updatedAtMs, row.getLong("updated_ms"));
                size++;
            }
        }
    }

    /**
     * Returns the time of the latest write among the listed allocations, in epoch milliseconds; the present time if the
     * list is empty.
     */
    long updatedAtMs() {
        return size == 0 ? System.currentTimeMillis() : updatedAtMs;
    }

    @Override
    public Allocated get(int index) {
        return new Allocated(
                new UUID(uuidHighs[index], uuidLows[index]), generations[index], resourceClasses[index], used[index]);
    }

    @Override
    public int size() {
        return size;
    }
}
