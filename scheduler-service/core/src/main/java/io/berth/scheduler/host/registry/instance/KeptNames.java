package io.berth.scheduler.host.registry.instance;

/** SQL that keeps what people call an instance where a record that does not say it takes the place of another. */
public final class KeptNames {
    /**
     * The new body with the names of the old one that it lacks, for the SET or WHERE of an INSERT INTO instances that
     * replaces. The flavor's name stays as long as the flavor.
     */
    public static final String IN_BODY = """
            (SELECT excluded.body || coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(instances.body)
              WHERE excluded.body ->> key IS NULL
                AND (key IN ('name', 'project_name', 'user_name')
                     OR key = 'flavor_name'
                        AND instances.body -> 'instance_type_id' IS NOT DISTINCT FROM excluded.body -> 'instance_type_id'))
            """.strip();

    private KeptNames() {}
}
