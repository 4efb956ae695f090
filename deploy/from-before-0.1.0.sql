-- Takes a database of a build from before 0.1.0 to the schema that 0.1.0 starts from:
--     1. stop all replicas
--     2. psql --single-transaction -v ON_ERROR_STOP=1 -f deploy/from-before-0.1.0.sql "$BERTH_DATABASE_URL"
--     3. start one scheduler of 0.1.0, which makes its tables, stop it, and repeat 2, which fills them
--     4. start all
-- The build before must have been the last one (scheduler V42, placement V30). Records of decisions are not kept. The old
-- tables stay in the schema scheduler_before until you drop it.
\set QUIET on
SELECT to_regclass('scheduler.boots') IS NOT NULL AS is_old, to_regclass('scheduler.request_records') IS NOT NULL AS is_new \gset
\if :is_old
    SELECT max(version::numeric) = 42 AS is_last FROM scheduler.flyway_schema_history WHERE version IS NOT NULL \gset
    \if :is_last
    \else
        DO $$ BEGIN RAISE 'scheduler is not at V42: run the last build from before 0.1.0 once, and repeat this'; END $$;
    \endif
    ALTER SCHEMA scheduler RENAME TO scheduler_before;
    -- Placement's tables are the same: only the list of what was applied begins anew.
    DELETE FROM placement.flyway_schema_history;
    INSERT INTO placement.flyway_schema_history (installed_rank, version, description, type, script, installed_by, execution_time, success)
    VALUES (1, '1', '<< Flyway Baseline >>', 'BASELINE', '<< Flyway Baseline >>', current_user, 0, true);
    \echo 'scheduler is now scheduler_before: start one scheduler of 0.1.0, stop it, and repeat this'
\elif :is_new
    INSERT INTO scheduler.cells (uuid, version, body) SELECT uuid, version, body FROM scheduler_before.cells;
    INSERT INTO scheduler.compute_nodes (uuid, version, body) SELECT uuid, version, body FROM scheduler_before.compute_nodes;
    INSERT INTO scheduler.services (uuid, version, body, last_heartbeat) SELECT uuid, version, body, last_heartbeat FROM scheduler_before.services;
    INSERT INTO scheduler.host_aggregates (uuid, version, body) SELECT uuid, version, body FROM scheduler_before.host_aggregates;
    INSERT INTO scheduler.server_groups (uuid, version, body) SELECT uuid, version, body FROM scheduler_before.server_groups;
    INSERT INTO scheduler.instances (uuid, version, body, declared) SELECT uuid, version, body, declared FROM scheduler_before.instances;
    INSERT INTO scheduler.server_group_members (server_group, instance, policy, max_server_per_host)
    SELECT server_group, instance, policy, max_server_per_host FROM scheduler_before.server_group_members ORDER BY place;
    INSERT INTO scheduler.server_group_reservations SELECT * FROM scheduler_before.server_group_seats;
    INSERT INTO scheduler.request_records (key, fingerprint, instances, answer, request_id, begun_at, first_number)
    SELECT key, shape, instances, answer, request_id, begun_at, first_number FROM scheduler_before.boots;
    INSERT INTO scheduler.request_leases (key, lease_until, attempts, number)
    SELECT key, lease_until, attempts, number FROM scheduler_before.open_boots;
    INSERT INTO scheduler.request_instances SELECT * FROM scheduler_before.boot_instances;
    INSERT INTO scheduler.moves (migration_uuid, instance_uuid, kind, source_uuid, state, held_before, held_after, instance_before,
                                 answer, request_id, lease_until, attempts, changed_at, number, first_number, user_id, begun_at, confirmed_at)
    SELECT migration_uuid, instance_uuid, kind, source_uuid, state, held_before, held_after, instance_before,
           answer, request_id, lease_until, attempts, changed_at, number, first_number, user_id, begun_at, confirmed_at
      FROM scheduler_before.moves;
    INSERT INTO scheduler.instance_cleanups (instance, due_at, host, nodename, at, server_group, policy, max_server_per_host, body, look_at)
    SELECT instance, due_at, host, nodename, at, server_group, policy, max_server_per_host, body, look_at FROM scheduler_before.departures;
    INSERT INTO scheduler.unregistered_nodes SELECT * FROM scheduler_before.unregistered_nodes;
    INSERT INTO scheduler.capacity_watches SELECT * FROM scheduler_before.capacity_watches;
    INSERT INTO scheduler.operator_changes (made_at, what, user_id, project_id, request_id, old_value, new_value)
    SELECT made_at, what, user_id, project_id, request_id, old_value, new_value FROM scheduler_before.operator_changes ORDER BY id;
    SELECT setval('scheduler.fences', last_value, is_called) FROM scheduler_before.fences;
    \echo 'copied: start all replicas; drop schema scheduler_before when you are content'
\else
    \echo 'nothing to do: there is no scheduler schema here'
\endif
