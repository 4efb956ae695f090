package io.berth.scheduler.seat;

/** What a statement that registers members says of their groups: they join them, and need their seats no more. */
public final class JoinedGroup {
    private static final String TEXT = """
            seated AS (
                DELETE FROM server_group_seats USING %1$s
                 WHERE server_group_seats.holder = %2$s AND NOT server_group_seats.leaving
                RETURNING server_group, instance, policy, max_server_per_host),
            joined AS (
                INSERT INTO server_group_members (server_group, instance, policy, max_server_per_host)
                SELECT DISTINCT server_group, instance, policy, max_server_per_host FROM seated
                 ORDER BY server_group, instance
                ON CONFLICT DO NOTHING
                RETURNING server_group),
            grown AS (
                UPDATE server_groups SET version = version + 1
                 WHERE uuid IN (SELECT server_group FROM joined)),
            """;

    private JoinedGroup() {}

    /**
     * Some members of a WITH, up to a comma.
     *
     * @param from an earlier member of it, of one row where seats are to be given up
     * @param holder an expression on that: the record that holds them
     */
    public static String of(String from, String holder) {
        return TEXT.formatted(from, holder);
    }
}
