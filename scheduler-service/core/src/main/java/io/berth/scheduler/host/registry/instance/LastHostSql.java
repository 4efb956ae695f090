package io.berth.scheduler.host.registry.instance;

/**
 * SQL that stores the last host and server group of instances whose registration a statement deletes. Later requests
 * that find no registration use them, such as an unshelve that names no source. {@code instancecleanup} uses them to
 * register an instance again if it holds allocations later.
 */
public final class LastHostSql {
    /**
     * The end of a DELETE of instances, the common table expression {@code gone} that {@link #insertLastHosts} reads.
     */
    public static final String RETURNING_GONE = "RETURNING instances.uuid, instances.host, instances.body";
    private static final String KEEP = """
            INSERT INTO instance_cleanups (instance, due_at, look_at, host, nodename, body, server_group, policy,
                max_server_per_host)
                SELECT gone.uuid, NULL, %s, gone.host, gone.body ->> 'nodename', gone.body, joined.server_group,
                    joined.policy,
                       joined.max_server_per_host
                  FROM gone LEFT JOIN LATERAL (
                       SELECT member.server_group,
                              CASE WHEN known.uuid IS NULL THEN member.policy END AS policy,
                              CASE WHEN known.uuid IS NULL THEN member.max_server_per_host END AS max_server_per_host
                         FROM server_group_members AS member LEFT JOIN server_groups AS known
                             ON known.uuid = server_group
                        WHERE member.instance = gone.uuid
                        ORDER BY known.uuid IS NULL, member.place LIMIT 1) AS joined ON true
                 ORDER BY gone.uuid
                ON CONFLICT (instance) DO UPDATE
                   SET due_at = NULL, look_at = excluded.look_at, host = excluded.host, nodename = excluded.nodename,
                       body = excluded.body, at = now(),
                       server_group = excluded.server_group, policy = excluded.policy,
                       max_server_per_host = excluded.max_server_per_host
            """;

    private LastHostSql() {}

    /**
     * Returns an INSERT into {@code instance_cleanups}, which replaces an instance's earlier row. The surrounding
     * statement must have a common table expression {@code gone} that deletes the instances and ends with
     * {@link #RETURNING_GONE}. Of several groups of an instance, stores a registered one, if there is one. If the group
     * is not registered, also stores the policy and the maximum members per host that requests stated.
     *
     * @param lookAt SQL expression: the time of the next check whether the instance holds allocations; NULL for none
     */
    public static String insertLastHosts(String lookAt) {
        return KEEP.formatted(lookAt);
    }
}
