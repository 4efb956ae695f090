package io.berth.placement.db;

/**
 * A table of nothing but its key: a provider and something that it has.
 *
 * @param drop deletes the rows of {@code :provider} but those of {@code :keys}, comma-separated
 * @param add inserts those of {@code :keys} that are missing, in their order
 */
public record KeyTable(String drop, String add) {
    /** @param type of the column, as PostgreSQL names it */
    public static KeyTable of(String name, String column, String type) {
        String keys = "CAST(string_to_array(:keys, ',') AS " + type + "[])";
        return new KeyTable(
                "DELETE FROM %s WHERE provider_id = :provider AND %s <> ALL(%s)".formatted(name, column, keys),
                "INSERT INTO %s (provider_id, %s) SELECT :provider, unnest(%s) ON CONFLICT DO NOTHING"
                        .formatted(name, column, keys));
    }
}
