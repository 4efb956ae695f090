package io.berth.scheduler.lease;

/** SQL by which statements skip an instance that an open request works on. */
public final class OpenRequestSql {
    private OpenRequestSql() {}

    /**
     * Returns a subquery for EXISTS: it has a row if a placement request or a move of the instance is open.
     *
     * @param instance an SQL expression for its uuid
     * @param own an SQL expression for the key of the record that does not count; {@code ''} for none
     */
    public static String of(String instance, String own) {
        return """
                SELECT FROM request_instances JOIN request_leases USING (key)
                     WHERE request_instances.instance = %1$s AND key <> %2$s
                    UNION ALL
                    SELECT FROM moves WHERE instance_uuid = %1$s AND state IN ('started', 'reverting')
                """.formatted(instance, own);
    }
}
