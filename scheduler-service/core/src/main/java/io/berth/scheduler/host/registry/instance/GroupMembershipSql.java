package io.berth.scheduler.host.registry.instance;

/**
 * SQL fragments for statements that register instances: they make the instances members of their server groups, and
 * delete the reservations that the instances had. The version of a registered group is incremented if the group gets a
 * new member.
 */
public final class GroupMembershipSql {
    private static final String JOINED = """
            joined AS (
                INSERT INTO server_group_members (server_group, instance, policy, max_server_per_host)
                %s
                ON CONFLICT DO NOTHING
                RETURNING server_group),
            grown AS (
                UPDATE server_groups SET version = version + 1
                 WHERE uuid IN (SELECT server_group FROM joined))""";
    /**
     * Common table expressions that make instances members of their groups. They read an earlier expression
     * {@code reserved}, which has a row per member with server_group, instance, policy and max_server_per_host.
     */
    public static final String MEMBERS = join("""
            SELECT DISTINCT server_group, instance, policy, max_server_per_host FROM reserved
                 ORDER BY server_group, instance""");
    private static final String RELEASED = """
            reserved AS (
                DELETE FROM server_group_reservations USING %1$s
                 WHERE server_group_reservations.holder = %2$s AND NOT server_group_reservations.leaving
                RETURNING server_group, instance, policy, max_server_per_host),
            """;

    private GroupMembershipSql() {}

    /**
     * Returns common table expressions that make instances members of their groups.
     *
     * @param members SELECT of a row per member: group, instance, and the policy and maximum members per host, which
     *     count if the group is not registered
     */
    static String join(String members) {
        return JOINED.formatted(members);
    }

    /**
     * Returns common table expressions that delete a holder's reservations, and make the instances members of their
     * groups ({@link #MEMBERS}). Leaves out source reservations, with which a moving instance keeps its place on the
     * host that it leaves (column {@code leaving}).
     *
     * @param from name of an earlier expression of the same WITH; if it returns no row, no reservation is released
     * @param holder SQL expression on that row: the key of the request to place instances, or of the move, that holds
     *     the reservations
     */
    public static String releaseAndJoin(String from, String holder) {
        return RELEASED.formatted(from, holder) + MEMBERS;
    }
}
