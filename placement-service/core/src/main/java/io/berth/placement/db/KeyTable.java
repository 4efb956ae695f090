package io.berth.placement.db;

/**
 * The statements that replace a provider's rows in a table of pairs, such as provider and trait.
 *
 * @param deleteSql deletes the rows of {@code :provider} whose key is not in {@code :keys} (comma-separated)
 * @param insertSql inserts the missing rows for {@code :keys} (comma-separated), in the order of {@code :keys}; may
 *         update further columns of the rows that exist
 */
public record KeyTable(String deleteSql, String insertSql) {
    /**
     * Returns the statements for a table with the columns {@code provider_id} and {@code column}.
     *
     * @param name name of the table
     * @param type PostgreSQL's name of the type of the column {@code column}
     */
    public static KeyTable of(String name, String column, String type) {
        String keys = "CAST(string_to_array(:keys, ',') AS " + type + "[])";
        return new KeyTable(
                "DELETE FROM %s WHERE provider_id = :provider AND %s <> ALL(%s)".formatted(name, column, keys),
                "INSERT INTO %s (provider_id, %s) SELECT :provider, unnest(%s) ON CONFLICT DO NOTHING"
                        .formatted(name, column, keys));
    }
}
