package io.berth.placement.db;

/**
 * Statements on {@code consumer_fences}, which stores the fences of consumers without a row in {@code consumers}. The
 * fence of a consumer is the highest fencing token of its writes and settlements; a write with the same or a lower
 * token is refused, unless it repeats the last write. Rows older than a week are deleted. A transaction must have
 * locked, inserted or deleted the consumer's row, in an earlier statement, before it reads or writes the fence.
 */
public final class ConsumerFences {
    /**
     * Stores the fences of consumers that a write without a fencing token deleted, except fences of 0 (no token yet);
     * {@code claimed_by}, the token of the consumer's last write, becomes null, because that write had none. For {@link
     * String#formatted}: 1 a FROM item with the columns uuid and fence.
     */
    public static final String KEEP_TEMPLATE = """
                 INSERT INTO consumer_fences (uuid, fence)
                 SELECT uuid, fence FROM %s WHERE fence > 0
                     ON CONFLICT (uuid) DO UPDATE
                    SET fence = greatest(consumer_fences.fence, excluded.fence), claimed_by = NULL, at = now()
            """;

    /**
     * Copies stored fences to inserted consumers whose own fence is lower. For {@link String#formatted}: 1 the uuids
     * (uuid[]) of consumers that an earlier statement inserted.
     */
    public static final String INHERIT_TEMPLATE = """
            UPDATE consumers
               SET fence = f.fence
              FROM consumer_fences f
             WHERE f.uuid = consumers.uuid AND f.fence > consumers.fence AND consumers.uuid = ANY(%s)
            """;

    private ConsumerFences() {}
}
