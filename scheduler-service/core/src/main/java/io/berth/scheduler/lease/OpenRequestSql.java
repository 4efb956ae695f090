package io.berth.scheduler.lease;

/** The SQL condition that a request that places, deletes or moves an instance is open. */
public final class OpenRequestSql {
    private OpenRequestSql() {}

    /**
     * Returns a subquery for EXISTS. It has a row if a request that places, deletes or moves the instance is open.
     *
     * @param instance SQL expression for the uuid of the instance
     * @param own SQL expression for the key of the record of a request or deletion that is ignored, usually the
     *     caller's own; {@code ''} for none
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
