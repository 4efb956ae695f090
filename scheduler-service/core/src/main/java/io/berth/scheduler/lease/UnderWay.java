package io.berth.scheduler.lease;

/** SQL by which statements leave an instance alone that somebody else works on. */
public final class UnderWay {
    private UnderWay() {}

    /**
     * A subquery for EXISTS: a row if a boot or a move of the instance is open.
     *
     * @param instance an expression of its uuid
     * @param own an expression of the key of the boot that does not count; {@code ''} for none
     */
    public static String of(String instance, String own) {
        return """
                SELECT FROM boot_instances JOIN open_boots USING (key)
                     WHERE boot_instances.instance = %1$s AND key <> %2$s
                    UNION ALL
                    SELECT FROM moves WHERE instance_uuid = %1$s AND state IN ('started', 'reverting')
                """.formatted(instance, own);
    }
}
