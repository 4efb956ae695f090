package io.berth.scheduler.groupreservation;

/** SQL for statements that register members: the members join their groups and release their reservations. */
public final class JoinedGroup {
    /**
     * Common table expressions by which instances become members of their groups. An earlier one, {@code reserved}, has
     * a row for each.
     */
    public static final String MEMBERS = """
            joined AS (
                INSERT INTO server_group_members (server_group, instance, policy, max_server_per_host)
                SELECT DISTINCT server_group, instance, policy, max_server_per_host FROM reserved
                 ORDER BY server_group, instance
                ON CONFLICT DO NOTHING
                RETURNING server_group),
            grown AS (
                UPDATE server_groups SET version = version + 1
                 WHERE uuid IN (SELECT server_group FROM joined))""";
    private static final String RELEASED = """
            reserved AS (
                DELETE FROM server_group_reservations USING %1$s
                 WHERE server_group_reservations.holder = %2$s AND NOT server_group_reservations.leaving
                RETURNING server_group, instance, policy, max_server_per_host),
            """;

    private JoinedGroup() {}

    /**
     * Returns common table expressions that release the reservations and have {@link #MEMBERS} behind them.
     *
     * @param from an earlier expression of the same WITH; it has one row if reservations are to be released
     * @param holder an SQL expression on that row: the key of the record that holds the reservations
     */
    public static String of(String from, String holder) {
        return RELEASED.formatted(from, holder) + MEMBERS;
    }
}
