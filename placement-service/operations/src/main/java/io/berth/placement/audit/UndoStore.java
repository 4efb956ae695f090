package io.berth.placement.audit;

import io.berth.model.Maps;
import io.berth.placement.db.ConsumerFences;
import io.berth.placement.db.FleetChanges;
import io.berth.placement.db.ProviderLocks;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Undoes the changes of an audit. Each statement of {@link #CONSUMER_STEPS} and {@link #STEPS} writes only rows that
 * are as the audit left them, with two exceptions: {@link #USE} changes the present use, and {@link
 * #DELETE_INSERTED_CONSUMERS} ignores the fence. If a statement writes fewer rows than the audit changed, the
 * transaction is rolled back.
 */
record UndoStore(SqlConnection connection, UUID audit) {
    /** Params: 1 audit id. Returns one row with {@code undone_at}; no row if the audit does not exist. */
    private static final String LOCK_AUDIT = "SELECT undone_at FROM audits WHERE id = $1 FOR UPDATE";

    /** Params: 1 audit id. Returns a row for each value of {@code what}: the number of changed rows of that kind. */
    private static final String COUNT = """
            SELECT what, count(*) AS rows FROM audit_changes WHERE audit_id = $1 GROUP BY what
            """;

    /** Locks the consumers whose allocations the audit deleted. Params: 1 audit id. */
    private static final String LOCK_CONSUMERS = """
            SELECT uuid FROM consumers
             WHERE uuid IN (SELECT (before ->> 'consumer_uuid')::uuid FROM audit_changes
                             WHERE audit_id = $1 AND what = 'allocation')
             ORDER BY uuid
               FOR UPDATE
            """;

    /** Params: 1 audit id. Returns the ids of all providers of which the audit changed rows. */
    private static final String PROVIDERS = """
            SELECT DISTINCT (before ->> 'provider_id')::bigint AS id FROM audit_changes
             WHERE audit_id = $1 AND before ? 'provider_id'
            """;

    /**
     * Restores the consumers that the audit deleted. Params: 1 audit id. The fence of a consumer is 0 if the stored row
     * has none.
     */
    private static final String CONSUMERS = """
            INSERT INTO consumers (uuid, generation, project_id, user_id, consumer_type, updated_at, fence)
            SELECT c.uuid, c.generation, c.project_id, c.user_id, c.consumer_type, c.updated_at, coalesce(c.fence, 0)
              FROM audit_changes, jsonb_populate_record(NULL::consumers, before) AS c
             WHERE audit_id = $1 AND what = 'consumer'
             ORDER BY c.uuid
                ON CONFLICT DO NOTHING
            """;

    /** Copies the stored fences to the restored consumers. Params: 1 audit id. */
    private static final String INHERIT_FENCES = ConsumerFences.INHERIT_TEMPLATE.formatted("""
            ARRAY(SELECT (before ->> 'uuid')::uuid FROM audit_changes
                   WHERE audit_id = $1 AND what = 'consumer')""");

    /**
     * Clears {@code claimed_by} of the consumers whose allocations are restored, because these are not the allocations
     * of the consumer's last write. Params: 1 audit id.
     */
    private static final String CLEAR_CLAIMED_BY = """
            UPDATE consumers SET claimed_by = NULL
             WHERE claimed_by IS NOT NULL
               AND uuid IN (SELECT (before ->> 'consumer_uuid')::uuid FROM audit_changes
                             WHERE audit_id = $1 AND what = 'allocation')
            """;

    /**
     * Deletes the consumers that the audit inserted, if no column but their fence has changed since, and keeps their
     * fences in {@code consumer_fences}. Params: 1 audit id. Returns a row for each deleted consumer.
     */
    private static final String DELETE_INSERTED_CONSUMERS = """
            WITH gone AS (
                 DELETE FROM consumers c
                  USING audit_changes h
                  WHERE h.audit_id = $1 AND h.what = 'given_consumer'
                    AND c.uuid = (h.after ->> 'uuid')::uuid AND to_jsonb(c) @> h.after - 'fence'
                 RETURNING c.uuid, c.fence),
            fenced AS (
            """ + ConsumerFences.KEEP_TEMPLATE.formatted("gone") + """
            )
            SELECT uuid FROM gone
            """;

    /** Restores the allocations that the audit deleted. Params: 1 audit id. */
    private static final String ALLOCATIONS = """
            INSERT INTO allocations
            SELECT (jsonb_populate_record(NULL::allocations, before)).* FROM audit_changes
             WHERE audit_id = $1 AND what = 'allocation'
                ON CONFLICT DO NOTHING
            """;

    /**
     * Adds the amounts of the restored allocations to the present use, which claims may have changed since the audit.
     * Params: 1 audit id. Writes no row for an inventory whose capacity would be exceeded; an inventory that was over
     * capacity before the audit may be so again, up to its former use.
     */
    private static final String USE = """
            UPDATE inventories i
               SET used = i.used + h.units
              FROM (SELECT (before ->> 'provider_id')::bigint AS provider_id,
                           (before ->> 'resource_class_id')::int AS resource_class_id,
                           (before ->> 'used')::bigint AS used,
                           (before ->> 'used')::bigint - (after ->> 'used')::bigint AS units,
                           (before ->> 'over')::boolean AS over
                      FROM audit_changes WHERE audit_id = $1 AND what = 'use') h
             WHERE i.provider_id = h.provider_id AND i.resource_class_id = h.resource_class_id
               AND (i.used + h.units <= %s
                    OR h.over AND i.used + h.units <= h.used)
            """.formatted(FindingStore.CAPACITY);

    /**
     * Restores {@code used} of the inventories where the audit corrected it, if their use has not changed since.
     * Params: 1 audit id.
     */
    private static final String USED = """
            UPDATE inventories i
               SET used = (h.before ->> 'used')::bigint
              FROM audit_changes h
             WHERE h.audit_id = $1 AND h.what = 'used'
               AND i.provider_id = (h.before ->> 'provider_id')::bigint
               AND i.resource_class_id = (h.before ->> 'resource_class_id')::int
               AND i.used = (h.after ->> 'used')::bigint
            """;

    /** Restores the roots of providers whose root and parent have not changed since. Params: 1 audit id. */
    private static final String ROOTS = """
            UPDATE resource_providers p
               SET root_id = (h.before ->> 'root_id')::bigint, updated_at = now()
              FROM audit_changes h
             WHERE h.audit_id = $1 AND h.what = 'root'
               AND p.id = (h.before ->> 'provider_id')::bigint
               AND p.root_id = (h.after ->> 'root_id')::bigint
               AND p.parent_id IS NOT DISTINCT FROM (h.before ->> 'parent_id')::bigint
            """;

    /**
     * Restores the deleted rows of provider traits. Params: 1 audit id. Fails with a foreign key violation if the
     * provider does not exist.
     */
    private static final String TRAITS = insertDeletedRows("provider_traits", "trait");

    /** Like TRAITS, for provider aggregates. */
    private static final String AGGREGATES = insertDeletedRows("provider_aggregates", "aggregate");

    /** Like TRAITS, for inventories. */
    private static final String INVENTORIES = insertDeletedRows("inventories", "inventory");

    /**
     * Raises the generations of the providers whose use was restored, so that a client must read such a provider again
     * before it can write the inventories. Params: 1 audit id.
     */
    private static final String RAISE_GENERATIONS = """
            UPDATE resource_providers SET generation = generation + 1, updated_at = now()
             WHERE id IN (SELECT (before ->> 'provider_id')::bigint FROM audit_changes
                           WHERE audit_id = $1 AND what = 'use')
            """;

    /** Marks the audit as undone. Params: 1 audit id. */
    private static final String MARK = "UPDATE audits SET undone_at = now() WHERE id = $1";

    /**
     * Returns the stored audits, the newest first, each with the number of rows that it changed; {@code undone_at} is
     * null if the audit was not undone.
     */
    private static final String LIST = """
            SELECT a.id, a.user_id, a.at, a.undone_at,
                   (SELECT count(*) FROM audit_changes c WHERE c.audit_id = a.id) AS changes
              FROM audits a
             ORDER BY a.at DESC, a.id
            """;

    /** The statements that restore consumers, by {@code audit_changes.what}, in the order of execution. */
    private static final Map<String, String> CONSUMER_STEPS = new LinkedHashMap<>();
    /**
     * The statements that run after consumers and providers are locked, by {@code audit_changes.what}, in the order of
     * execution.
     */
    private static final Map<String, String> STEPS = new LinkedHashMap<>();

    static {
        CONSUMER_STEPS.put("consumer", CONSUMERS);
        CONSUMER_STEPS.put("given_consumer", DELETE_INSERTED_CONSUMERS);
        STEPS.put("allocation", ALLOCATIONS);
        // An undo runs 'use' before 'used', because an audit changes 'used' before 'use'.
        STEPS.put("use", USE);
        STEPS.put("used", USED);
        STEPS.put("root", ROOTS);
        STEPS.put("trait", TRAITS);
        STEPS.put("aggregate", AGGREGATES);
        STEPS.put("inventory", INVENTORIES);
    }

    /**
     * A row cannot be restored, because it has changed since the audit, or because the capacity that it needs is in
     * use. The transaction of the undo is rolled back.
     */
    static final class Changed extends RuntimeException {
        private Changed(String what) {
            super(what, null, false, false);
        }
    }

    /** Returns a statement that inserts the deleted rows of a table, except rows that exist. Params: 1 audit id. */
    private static String insertDeletedRows(String table, String what) {
        return """
                INSERT INTO %1$s
                SELECT (jsonb_populate_record(NULL::%1$s, before)).* FROM audit_changes
                 WHERE audit_id = $1 AND what = '%2$s'
                    ON CONFLICT DO NOTHING
                """.formatted(table, what);
    }

    /**
     * The state of an audit that is stored.
     *
     * @param isUndone whether the audit has been undone already
     */
    record State(boolean isUndone) {}

    /** Locks the audit's row and returns its state; a null item if the audit does not exist. */
    Uni<State> lockAudit() {
        return run(LOCK_AUDIT).map(rows -> rows.size() == 0
                ? null : new State(rows.iterator().next().getOffsetDateTime("undone_at") != null));
    }

    /** Returns the number of rows that the audit changed, by {@code audit_changes.what}. */
    Uni<Map<String, Long>> count() {
        return run(COUNT).map(rows -> {
            Map<String, Long> counts = new LinkedHashMap<>();
            for (Row row : rows) {
                counts.put(row.getString("what"), row.getLong("rows"));
            }
            return counts;
        });
    }

    /**
     * Undoes all changes, in the caller's transaction, and marks the audit as undone. Fails with {@link Changed} if a
     * row cannot be restored, and with a foreign key violation if the provider or trait of a deleted row does not
     * exist.
     *
     * @param counts number of rows to restore, by {@code audit_changes.what}, from {@link #count}
     */
    Uni<Void> undoAll(Map<String, Long> counts) {
        return steps(CONSUMER_STEPS, counts)
                .chain(() -> run(INHERIT_FENCES))
                .chain(() -> run(LOCK_CONSUMERS))
                .chain(() -> run(CLEAR_CLAIMED_BY))
                .chain(() -> run(PROVIDERS))
                .map(UndoStore::ids)
                .call(ids -> execute(ProviderLocks.LOCK, Tuple.tuple().addValue(ids)))
                .call(() -> steps(STEPS, counts))
                .call(() -> run(RAISE_GENERATIONS))
                .call(ids -> execute(FleetChanges.RECORD, Tuple.tuple().addValue(FleetChanges.PROVIDER).addValue(ids)))
                .chain(() -> run(MARK))
                .replaceWithVoid();
    }

    /**
     * Runs the statements for the kinds of changes that the audit made. Fails with {@link Changed} if a statement does
     * not write as many rows as the audit changed.
     */
    private Uni<Void> steps(Map<String, String> statements, Map<String, Long> counts) {
        return Multi.createFrom().iterable(statements.entrySet())
                .filter(step -> counts.containsKey(step.getKey()))
                .onItem().transformToUniAndConcatenate(step -> run(step.getValue()).invoke(rows -> {
                    if (rows.rowCount() != Maps.require(counts, step.getKey())) {
                        throw new Changed(step.getKey());
                    }
                }))
                .collect().asList().replaceWithVoid();
    }

    private static Long[] ids(RowSet<Row> rows) {
        List<Long> ids = new ArrayList<>(rows.size());
        for (Row row : rows) {
            ids.add(row.getLong("id"));
        }
        return ids.toArray(Long[]::new);
    }

    /** Returns the stored audits, the newest first. */
    static Uni<List<AuditOutcome.Applied>> list(SqlConnection connection) {
        return connection.query(LIST).execute().map(rows -> {
            List<AuditOutcome.Applied> all = new ArrayList<>(rows.size());
            for (Row row : rows) {
                OffsetDateTime undoneAt = row.getOffsetDateTime("undone_at");
                all.add(new AuditOutcome.Applied(
                        row.getUUID("id"), row.getString("user_id"), row.getOffsetDateTime("at"), undoneAt,
                        row.getLong("changes")));
            }
            return all;
        });
    }

    private Uni<RowSet<Row>> run(String sql) {
        return execute(sql, Tuple.of(audit));
    }

    private Uni<RowSet<Row>> execute(String sql, Tuple parameters) {
        return connection.preparedQuery(sql).execute(parameters);
    }
}
