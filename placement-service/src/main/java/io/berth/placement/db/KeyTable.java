package io.berth.placement.db;

/**
 * The statements for a table that has only a key: a provider and something that it has, such as a trait or an
 * aggregate.
 *
 * @param drop deletes the rows of {@code :provider} except those of {@code :keys} (comma-separated)
 * @param add inserts the missing ones of {@code :keys}, in their order
 */
public record KeyTable(String drop, String add) {
    /**
     * Returns the statements for a table with the columns {@code provider_id} and {@code column}.
     *
     * @param type the type of the column, as PostgreSQL names it
     */
    public static KeyTable of(String name, String column, String type) {
        String keys = "CAST(string_to_array(:keys, ',') AS " + type + "[])";
        return new KeyTable(
                "DELETE FROM %s WHERE provider_id = :provider AND %s <> ALL(%s)".formatted(name, column, keys),
                "INSERT INTO %s (provider_id, %s) SELECT :provider, unnest(%s) ON CONFLICT DO NOTHING"
                        .formatted(name, column, keys));
    }
}
