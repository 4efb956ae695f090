package io.berth.placement.audit;

import io.berth.placement.db.ConsumerFences;
import io.berth.placement.db.FleetChanges;
import io.berth.placement.db.ProviderLocks;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Locks the rows of findings, and heals the findings. Each statement that corrects rows also inserts the values before
 * and after the correction into {@code audit_changes}, for {@link UndoStore}.
 */
record HealingStore(SqlConnection connection) {
    /** The number of audits that are stored with their changes; older ones are deleted and can no longer be undone. */
    private static final int KEPT_MAX = 100;

    /** Params: 1 audit id, 2 user id. */
    private static final String INSERT_AUDIT = "INSERT INTO audits (id, user_id) VALUES ($1, left($2, 255))";

    /** Deletes all audits but the newest. Params: 1 number of audits to keep. */
    private static final String PRUNE = """
            DELETE FROM audits WHERE id IN (SELECT id FROM audits ORDER BY at DESC, id OFFSET $1)
            """;

    /**
     * Inserts missing consumers. Params: 1 audit id, 2 uuids of consumers that have allocations and no row, 3 project
     * id, 4 user id. Returns a row with the uuid of each consumer that was inserted; another transaction may have
     * inserted the rest.
     */
    private static final String INSERT_CONSUMERS = """
            WITH given AS (
                 INSERT INTO consumers (uuid, generation, project_id, user_id)
                 SELECT wanted, 1, $3, $4 FROM unnest($2::uuid[]) AS wanted ORDER BY wanted
                     ON CONFLICT (uuid) DO NOTHING
                 RETURNING *)
            INSERT INTO audit_changes (audit_id, what, before, after)
            SELECT $1::uuid, 'given_consumer', NULL, to_jsonb(given) FROM given
            RETURNING (after ->> 'uuid')::uuid AS uuid
            """;

    /** Copies the stored fences to inserted consumers. Params: 1 uuids of the consumers. */
    private static final String INHERIT_FENCES = ConsumerFences.INHERIT_TEMPLATE.formatted("$1::uuid[]");

    /** Locks consumers. Params: 1 uuids of consumers. Returns a row for each consumer that exists. */
    private static final String LOCK_CONSUMERS = """
            SELECT uuid FROM consumers WHERE uuid = ANY($1::uuid[]) ORDER BY uuid FOR UPDATE
            """;

    /**
     * Sets {@code used} to the sum of the allocations. Params: 1 audit id, 2 provider ids, 3 resource class ids; the
     * elements of 2 and 3 with the same index name an inventory.
     */
    private static final String SET_USED = """
            WITH wanted AS (
                 SELECT i.provider_id, i.resource_class_id, i.used AS before,
                        coalesce((SELECT sum(a.used)::bigint FROM allocations a
                                   WHERE a.provider_id = i.provider_id
                                     AND a.resource_class_id = i.resource_class_id), 0) AS after
                   FROM inventories i
                   JOIN unnest($2::bigint[], $3::int[]) AS w (provider_id, resource_class_id)
                     ON w.provider_id = i.provider_id AND w.resource_class_id = i.resource_class_id),
            changed AS (
                 UPDATE inventories i SET used = w.after
                   FROM wanted w
                  WHERE i.provider_id = w.provider_id AND i.resource_class_id = w.resource_class_id
                 RETURNING w.*)
            INSERT INTO audit_changes (audit_id, what, before, after)
            SELECT $1::uuid, 'used',
                   jsonb_build_object('provider_id', provider_id, 'resource_class_id', resource_class_id,
                                      'used', before),
                   jsonb_build_object('used', after)
              FROM changed
            """;

    /**
     * Deletes allocations and subtracts their amounts from the use of the inventories, but to no less than 0, because
     * {@code used} may differ from the sum of the allocations. Params: 1 audit id, 2 uuids of consumers, 3 true: only
     * allocations on providers that do not exist. In the recorded change of a use, {@code over} says whether the
     * inventory was over capacity before; only then may an undo exceed the capacity again. Clears {@code claimed_by},
     * the fencing token of the consumer's last write, because the remaining allocations are no longer those of this
     * write.
     */
    private static final String DELETE_ALLOCATIONS = """
            WITH gone AS (
                 DELETE FROM allocations a
                  WHERE consumer_uuid = ANY($2::uuid[])
                    AND (NOT $3 OR NOT EXISTS (SELECT FROM resource_providers p WHERE p.id = a.provider_id))
                 RETURNING a.*),
            plain AS (
                 UPDATE consumers SET claimed_by = NULL
                  WHERE uuid = ANY(ARRAY(SELECT consumer_uuid FROM gone)) AND claimed_by IS NOT NULL),
            freed AS (
                 SELECT i.provider_id, i.resource_class_id, i.used AS before, greatest(0, i.used - g.units) AS after,
                        i.used > %s AS over
                   FROM (SELECT provider_id, resource_class_id, sum(used)::bigint AS units
                           FROM gone GROUP BY provider_id, resource_class_id) g
                   JOIN inventories i ON i.provider_id = g.provider_id AND i.resource_class_id = g.resource_class_id),
            changed AS (
                 UPDATE inventories i SET used = f.after
                   FROM freed f
                  WHERE i.provider_id = f.provider_id AND i.resource_class_id = f.resource_class_id
                 RETURNING f.*)
            INSERT INTO audit_changes (audit_id, what, before, after)
            SELECT $1::uuid, 'allocation', to_jsonb(gone), NULL FROM gone
             UNION ALL
            SELECT $1::uuid, 'use',
                   jsonb_build_object('provider_id', provider_id, 'resource_class_id', resource_class_id,
                                      'used', before, 'over', over),
                   jsonb_build_object('used', after)
              FROM changed
            """.formatted(FindingStore.CAPACITY);

    /**
     * Deletes consumers, records them as released, and keeps their fences in {@code consumer_fences}. Params: 1 audit
     * id, 2 uuids of consumers.
     */
    private static final String DELETE_CONSUMERS = """
            WITH gone AS (DELETE FROM consumers WHERE uuid = ANY($2::uuid[]) RETURNING *),
                 released AS (INSERT INTO released_consumers (uuid) SELECT uuid FROM gone),
                 fenced AS (
            """ + ConsumerFences.KEEP_TEMPLATE.formatted("gone") + """
                 )
            INSERT INTO audit_changes (audit_id, what, before, after)
            SELECT $1::uuid, 'consumer', to_jsonb(gone), NULL FROM gone
            """;

    /**
     * Sets the roots of providers. Params: 1 audit id, 2 provider ids, 3 ids of their roots; the elements of 2 and 3
     * with the same index belong together.
     */
    private static final String SET_ROOTS = """
            WITH wanted AS (
                 SELECT p.id, p.parent_id, p.root_id AS before, w.root_id AS after
                   FROM resource_providers p
                   JOIN unnest($2::bigint[], $3::bigint[]) AS w (id, root_id) ON w.id = p.id),
            changed AS (
                 UPDATE resource_providers p SET root_id = w.after, updated_at = now()
                   FROM wanted w WHERE p.id = w.id
                 RETURNING w.*)
            INSERT INTO audit_changes (audit_id, what, before, after)
            SELECT $1::uuid, 'root', jsonb_build_object('provider_id', id, 'parent_id', parent_id, 'root_id', before),
                   jsonb_build_object('root_id', after)
              FROM changed
            """;

    /**
     * Deletes rows of {@code provider_traits}. Params: 1 audit id, 2 provider ids, 3 trait ids; the elements of 2 and 3
     * with the same index name a row.
     */
    private static final String DELETE_TRAITS = delete("provider_traits", "trait_id", "int", "trait");

    /** Like {@link #DELETE_TRAITS}, for rows of {@code provider_aggregates}. Params: 3 uuids of aggregates. */
    private static final String DELETE_AGGREGATES = delete("provider_aggregates", "aggregate", "uuid", "aggregate");

    /** Like {@link #DELETE_TRAITS}, for inventories. Params: 3 resource class ids. */
    private static final String DELETE_INVENTORIES = delete("inventories", "resource_class_id", "int", "inventory");

    /**
     * Returns a statement that deletes rows of a table.
     *
     * @param column the column that, together with {@code provider_id}, is the key of the table
     * @param type SQL type of this column
     * @param what value of {@code audit_changes.what}
     */
    private static String delete(String table, String column, String type, String what) {
        return """
                WITH gone AS (
                     DELETE FROM %1$s t
                      USING unnest($2::bigint[], $3::%3$s[]) AS w (provider_id, %2$s)
                      WHERE t.provider_id = w.provider_id AND t.%2$s = w.%2$s
                     RETURNING t.*)
                INSERT INTO audit_changes (audit_id, what, before, after)
                SELECT $1::uuid, '%4$s', to_jsonb(gone), NULL FROM gone
                """.formatted(table, column, type, what);
    }

    /** Inserts the audit, and deletes the oldest audits so that at most {@value #KEPT_MAX} remain. */
    Uni<Void> insertAudit(UUID audit, String userId) {
        return run(PRUNE, Tuple.of(KEPT_MAX - 1))
                .chain(() -> run(INSERT_AUDIT, Tuple.tuple().addValue(audit).addValue(userId)))
                .replaceWithVoid();
    }

    /**
     * Inserts rows for consumers that have allocations and no row, with the fences that are stored for them. Returns
     * the consumers that this audit inserted.
     */
    Uni<Set<UUID>> insertConsumers(UUID audit, UUID[] consumers, String projectId, String userId) {
        return run(INSERT_CONSUMERS, tupleOf(audit, consumers).addValue(projectId).addValue(userId)).map(rows -> {
            Set<UUID> given = new HashSet<>();
            for (Row row : rows) {
                given.add(row.getUUID("uuid"));
            }
            return given;
        }).call(given -> run(INHERIT_FENCES, Tuple.tuple().addValue(given.toArray(UUID[]::new))));
    }

    /**
     * Locks consumers by uuid, then providers by id. Every writer locks in this order, to avoid deadlocks.
     */
    Uni<Void> lock(UUID[] consumers, Long[] providers) {
        return run(LOCK_CONSUMERS, Tuple.tuple().addValue(consumers))
                .chain(() -> run(ProviderLocks.LOCK, Tuple.tuple().addValue(providers)))
                .replaceWithVoid();
    }

    /**
     * Heals findings of one kind.
     *
     * @param kind a kind that can be healed, see {@link FindingKind#cure}
     * @param findings findings of this kind, whose rows {@link #lock} has locked
     */
    Uni<Void> heal(UUID audit, FindingKind kind, List<Finding> findings) {
        UUID[] subjects = findings.stream().map(Finding::subject).toArray(UUID[]::new);
        Uni<?> healed = switch (kind) {
            case USED_DIFFERS -> run(SET_USED, withObjectIds(audit, findings));
            case UNKNOWN_CONSUMER -> run(DELETE_ALLOCATIONS, tupleOf(audit, subjects).addValue(false))
                    .chain(() -> run(DELETE_CONSUMERS, tupleOf(audit, subjects)));
            case EMPTY_CONSUMER -> run(DELETE_CONSUMERS, tupleOf(audit, subjects));
            case ALLOCATION_WITHOUT_PROVIDER -> run(DELETE_ALLOCATIONS, tupleOf(audit, subjects).addValue(true));
            case WRONG_ROOT -> run(SET_ROOTS, tupleOf(audit, providers(findings)).addValue(objects(findings)));
            case TRAIT_WITHOUT_PROVIDER -> run(DELETE_TRAITS, withObjectIds(audit, findings));
            case AGGREGATE_WITHOUT_PROVIDER ->
                run(DELETE_AGGREGATES, tupleOf(audit, providers(findings)).addValue(subjects));
            case INVENTORY_WITHOUT_PROVIDER -> run(DELETE_INVENTORIES, withObjectIds(audit, findings));
            case MEMORY_DIFFERS -> publish(FleetChanges.EVERYTHING, new Long[] {0L});
            // Already healed by insertConsumers, before the rows were locked.
            case ALLOCATION_WITHOUT_CONSUMER -> Uni.createFrom().voidItem();
            case OVER_CAPACITY, ALLOCATION_WITHOUT_INVENTORY, PARENT_LOOP, GENERATION_OUT_OF_RANGE ->
                throw new IllegalArgumentException(kind + " is not healed");
        };
        return healed.replaceWithVoid();
    }

    /**
     * Publishes changes to all replicas.
     *
     * @param kind a constant of {@link FleetChanges}
     * @param ids ids of the changed objects; 0 for {@link FleetChanges#EVERYTHING}
     */
    Uni<Void> publish(short kind, Long[] ids) {
        return run(FleetChanges.RECORD, Tuple.tuple().addValue(kind).addValue(ids)).replaceWithVoid();
    }

    private static Tuple withObjectIds(UUID audit, List<Finding> findings) {
        return tupleOf(audit, providers(findings)).addValue(
                findings.stream().map(finding -> (int) finding.objectId()).toArray(Integer[]::new));
    }

    private static Long[] providers(List<Finding> findings) {
        return findings.stream().map(finding -> finding.providers().getFirst()).toArray(Long[]::new);
    }

    private static Long[] objects(List<Finding> findings) {
        return findings.stream().map(Finding::objectId).toArray(Long[]::new);
    }

    /** Returns a tuple of two values. {@code Tuple.of} would make each element of the array a value of its own. */
    private static Tuple tupleOf(UUID audit, Object[] column) {
        return Tuple.tuple().addValue(audit).addValue(column);
    }

    private Uni<RowSet<Row>> run(String sql, Tuple parameters) {
        return connection.preparedQuery(sql).execute(parameters);
    }
}
