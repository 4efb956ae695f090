package io.berth.placement.allocation;

import io.berth.placement.allocation.AllocationStore.Allocated;
import io.vertx.mutiny.sqlclient.Row;
import java.util.AbstractList;
import java.util.HashMap;
import java.util.Map;
import java.util.RandomAccess;
import java.util.UUID;

/**
 * A compact list of allocations: one array per column, {@value #ROW_BYTES} bytes per row. An element becomes an object
 * only when it is read.
 */
final class AllocatedColumns extends AbstractList<Allocated> implements RandomAccess {
    /** Counts 4 bytes for a reference, as in a heap of less than 32 GB. */
    static final int ROW_BYTES = 3 * Long.BYTES + Integer.BYTES + 4;

    private final long[] highs;
    private final long[] lows;
    private final int[] generations;
    private final String[] resourceClasses;
    private final long[] used;
    /** The names of resource classes, so that rows of the same class share one string. */
    private final Map<String, String> names = new HashMap<>();
    private int size;
    private long updatedAtMs;

    /** @param most the capacity, in rows */
    AllocatedColumns(int most) {
        highs = new long[most];
        lows = new long[most];
        generations = new int[most];
        resourceClasses = new String[most];
        used = new long[most];
    }

    /** Adds the rows. Skips a row whose {@code other} is null: the outer join found no allocation. */
    void addAll(Iterable<Row> rows) {
        for (Row row : rows) {
            UUID other = row.getUUID("other");
            if (other != null) {
                highs[size] = other.getMostSignificantBits();
                lows[size] = other.getLeastSignificantBits();
                generations[size] = row.getInteger("other_generation");
                resourceClasses[size] = names.computeIfAbsent(row.getString("resource_class"), name -> name);
                used[size] = row.getLong("used");
                updatedAtMs = Math.max(updatedAtMs, row.getLong("updated_ms"));
                size++;
            }
        }
    }

    /** Returns the time of the latest claim in epoch milliseconds; the present time if the list is empty. */
    long updatedAtMs() {
        return size == 0 ? System.currentTimeMillis() : updatedAtMs;
    }

    @Override
    public Allocated get(int index) {
        return new Allocated(
                new UUID(highs[index], lows[index]), generations[index], resourceClasses[index], used[index]);
    }

    @Override
    public int size() {
        return size;
    }
}
