package io.berth.scheduler.host.registry.instance;

/** SQL that keeps the names in an instance's record when a body without names replaces the record. */
public final class InstanceNameSql {
    /**
     * An expression for the SET or WHERE of an upsert into {@code instances}. Its value is the whole body to store: the
     * new body, with the names of instance, project and user that only the stored body has. The flavor's name is kept
     * only if both bodies have the same {@code instance_type_id}.
     */
    public static final String BODY_WITH_NAMES = """
            (SELECT excluded.body || coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(instances.body)
              WHERE excluded.body ->> key IS NULL
                AND (key IN ('name', 'project_name', 'user_name')
                     OR key = 'flavor_name'
                        AND instances.body -> 'instance_type_id' IS NOT DISTINCT
                            FROM excluded.body -> 'instance_type_id'))
            """.strip();

    private InstanceNameSql() {}
}
