package io.berth.scheduler.host.registry.instance;

/**
 * SQL that writes the table {@code instances}. Stores of several packages write the table within larger statements,
 * which they compose from the fragments here. A new column that all of them must set therefore needs a change only in
 * this class. Records that clients send are written with Hibernate instead, by the package {@code edit}. The column
 * {@code declared} is true for an unverified instance: one that a client registered and that was never seen to hold
 * allocations.
 */
public final class InstanceSql {
    /**
     * An expression for {@link #orReplace}. Its value is the new body, with the names of instance, project and user
     * that only the stored body has. The flavor's name is kept only if both bodies have the same
     * {@code instance_type_id}.
     */
    public static final String BODY_WITH_NAMES = """
            (SELECT excluded.body || coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(instances.body)
              WHERE excluded.body ->> key IS NULL
                AND (key IN ('name', 'project_name', 'user_name')
                     OR key = 'flavor_name'
                        AND instances.body -> 'instance_type_id' IS NOT DISTINCT
                            FROM excluded.body -> 'instance_type_id'))
            """.strip();

    /**
     * An UPDATE, without FROM and WHERE, for unverified instances that were seen to hold allocations. Keeps the
     * version.
     */
    public static final String VERIFY = "UPDATE instances SET declared = false";

    private static final String SET_BODY = "SET body = %s, version = %s";
    private static final String NEXT_VERSION = "instances.version + 1";

    private InstanceSql() {}

    /**
     * Returns an INSERT ... SELECT, without FROM, of instances that are not known to hold allocations.
     *
     * @param uuid SQL expression
     * @param body SQL expression for the record as jsonb
     */
    static String insertUnverified(String uuid, String body) {
        return insert(uuid, body, true);
    }

    /** Like {@link #insertUnverified}, for instances that hold allocations. */
    public static String insert(String uuid, String body) {
        return insert(uuid, body, false);
    }

    private static String insert(String uuid, String body, boolean isUnverified) {
        return "INSERT INTO instances (uuid, body, declared) SELECT %s, %s, %s".formatted(uuid, body, isUnverified);
    }

    /**
     * Returns the end of an INSERT that replaces the bodies of registered instances and increments their versions. The
     * column {@code declared} stays unchanged.
     *
     * @param body SQL expression for the body to store, of the new {@code excluded.body} and the stored
     *     {@code instances.body}
     */
    public static String orReplace(String body) {
        return orReplace(body, NEXT_VERSION);
    }

    /**
     * Like {@link #orReplace(String)}, with a version that the statement computes.
     *
     * @param version SQL expression for the new version; null aborts the statement with a NOT NULL violation
     */
    public static String orReplace(String body, String version) {
        return "ON CONFLICT (uuid) DO UPDATE " + SET_BODY.formatted(body, version);
    }

    /**
     * Returns an UPDATE, without FROM and WHERE, that replaces bodies and increments versions.
     *
     * @param body SQL expression for the new body
     */
    public static String update(String body) {
        return "UPDATE instances " + SET_BODY.formatted(body, NEXT_VERSION);
    }

    /**
     * Returns a DELETE of the instances that an earlier expression returns; further conditions may be added with AND.
     *
     * @param from name of the earlier expression of the same WITH
     * @param uuid its column with the uuids of the instances
     */
    public static String delete(String from, String uuid) {
        return "DELETE FROM instances USING %1$s WHERE instances.uuid = %1$s.%2$s".formatted(from, uuid);
    }
}
