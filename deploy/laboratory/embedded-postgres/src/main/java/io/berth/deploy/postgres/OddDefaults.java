package io.berth.deploy.postgres;

import java.util.Map;

/**
 * Creates databases with unusual session defaults (date style, time zone, isolation and so on), as an operator may set
 * for people who query the database by hand. Tests check that a service reads and writes the same values in such a
 * database as in others.
 */
public final class OddDefaults {
    private static final Map<String, String> SETTINGS = Map.of(
            "DateStyle", "SQL, DMY",
            "client_encoding", "LATIN1",
            "IntervalStyle", "iso_8601",
            "TimeZone", "Asia/Kolkata",
            "bytea_output", "escape",
            "extra_float_digits", "-15",
            "standard_conforming_strings", "off",
            "default_transaction_isolation", "serializable");

    private OddDefaults() {}

    /**
     * Returns the URL, in the form of BERTH_DATABASE_URL, of a new database that has all settings of {@link #SETTINGS}.
     */
    public static String newDatabase() {
        String url = PostgresForTests.newDatabase();
        String name = url.substring(url.lastIndexOf('/') + 1);
        SETTINGS.forEach((setting, value) -> PostgresForTests.run(
                PostgresForTests.url(), "ALTER DATABASE %s SET %s = '%s'".formatted(name, setting, value)));
        return url;
    }
}
