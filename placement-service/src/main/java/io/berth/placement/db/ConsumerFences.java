package io.berth.placement.db;

/**
 * Fences of consumers without a row, in {@code consumer_fences}. Only a transaction that has locked, inserted or
 * deleted the consumer's row reads or writes its fence, and it reads in a statement after the one that did so.
 */
public final class ConsumerFences {
    /**
     * Keeps the fences of consumers that a write without a number deleted. So {@code claimed_by} is null. For {@link
     * String#formatted}: 1 a source of rows with uuid and fence.
     */
    public static final String KEEP_TEMPLATE = """
                 INSERT INTO consumer_fences (uuid, fence)
                 SELECT uuid, fence FROM %s WHERE fence > 0
                     ON CONFLICT (uuid) DO UPDATE
                    SET fence = greatest(consumer_fences.fence, excluded.fence), claimed_by = NULL, at = now()
            """;

    /**
     * Copies kept fences to inserted consumers. For {@link String#formatted}: 1 uuids of consumers (uuid[]) that an
     * earlier statement inserted.
     */
    public static final String INHERIT_TEMPLATE = """
            UPDATE consumers
               SET fence = f.fence
              FROM consumer_fences f
             WHERE f.uuid = consumers.uuid AND f.fence > consumers.fence AND consumers.uuid = ANY(%s)
            """;

    private ConsumerFences() {}
}
