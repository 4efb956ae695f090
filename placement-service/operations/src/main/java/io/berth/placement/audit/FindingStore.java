package io.berth.placement.audit;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.SqlConnection;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Finds inconsistencies in the tables, with one statement per kind, so that all findings of a kind come from one
 * snapshot. Each row of a result is a {@link Finding}: its columns {@code subject}, {@code provider_ids}, {@code
 * object_id} and {@code detail} become its components.
 */
record FindingStore(SqlConnection connection) {
    /**
     * An expression for the capacity of the inventory {@code i}, equal to {@link
     * io.berth.placement.fleet.Inventory#capacity()}.
     */
    static final String CAPACITY = "(i.total::bigint - i.reserved) * i.allocation_ratio";

    /**
     * Inventories whose {@code used} is not the sum of their allocations. Params: 1 limit of rows, 2 ids of the
     * providers to search (null: all).
     */
    private static final String USED_DIFFERS = """
            SELECT NULL::uuid AS subject, ARRAY[i.provider_id] AS provider_ids,
                   i.resource_class_id::bigint AS object_id,
                   jsonb_build_object('resource_provider', p.uuid, 'resource_provider_name', p.name,
                                      'resource_class', r.name, 'used', i.used,
                                      'allocated', coalesce(s.used, 0))::text AS detail
              FROM inventories i
              JOIN resource_providers p ON p.id = i.provider_id
              JOIN resource_classes r ON r.id = i.resource_class_id
              LEFT JOIN (SELECT provider_id, resource_class_id, sum(used)::bigint AS used
                           FROM allocations
                          WHERE $2::bigint[] IS NULL OR provider_id = ANY($2)
                          GROUP BY provider_id, resource_class_id) s
                ON s.provider_id = i.provider_id AND s.resource_class_id = i.resource_class_id
             WHERE i.used <> coalesce(s.used, 0)
               AND ($2 IS NULL OR i.provider_id = ANY($2))
             ORDER BY i.provider_id, i.resource_class_id
             LIMIT $1
            """;

    /** Inventories whose use exceeds their capacity. Params: as for USED_DIFFERS. */
    private static final String OVER_CAPACITY = """
            SELECT NULL::uuid AS subject, ARRAY[i.provider_id] AS provider_ids,
                   i.resource_class_id::bigint AS object_id,
                   jsonb_build_object('resource_provider', p.uuid, 'resource_provider_name', p.name,
                                      'resource_class', r.name, 'used', i.used, 'capacity', %1$s)::text AS detail
              FROM inventories i
              JOIN resource_providers p ON p.id = i.provider_id
              JOIN resource_classes r ON r.id = i.resource_class_id
             WHERE i.used > %1$s
               AND ($2::bigint[] IS NULL OR i.provider_id = ANY($2))
             ORDER BY i.provider_id, i.resource_class_id
             LIMIT $1
            """.formatted(CAPACITY);

    /**
     * The beginning of a statement. {@code led} has each provider with the root that is found by following its parents;
     * it has no row for a provider whose parents lead to no root: in a loop, below a loop, or below a parent that does
     * not exist. The rest of the statement is the query of {@code found} and a query that sorts its rows. {@code found}
     * is materialized, because otherwise PostgreSQL would scan {@code led} once for each provider, to find the first
     * rows in the order of the index.
     */
    private static final String ROOTS = """
            WITH RECURSIVE led AS (
                 SELECT id, id AS root_id FROM resource_providers WHERE parent_id IS NULL
                  UNION ALL
                 SELECT child.id, led.root_id FROM led JOIN resource_providers child ON child.parent_id = led.id),
            found AS MATERIALIZED (
            """;

    /** Providers whose {@code root_id} is not the root that their parents lead to. Params: as for USED_DIFFERS. */
    private static final String WRONG_ROOT = ROOTS + """
                 SELECT p.id, p.uuid, p.name, p.root_id, led.root_id AS root_id_by_parents
                   FROM led
                   JOIN resource_providers p ON p.id = led.id
                  WHERE p.root_id <> led.root_id
                    AND ($2::bigint[] IS NULL OR p.id = ANY($2)))
            SELECT NULL::uuid AS subject, ARRAY[p.id] AS provider_ids, p.root_id_by_parents AS object_id,
                   jsonb_build_object('resource_provider', p.uuid, 'resource_provider_name', p.name,
                                      'root_provider', was.uuid, 'root_provider_name', was.name,
                                      'root_provider_by_parents', root.uuid,
                                      'root_provider_by_parents_name', root.name)::text AS detail
              FROM found p
              JOIN resource_providers root ON root.id = p.root_id_by_parents
              LEFT JOIN resource_providers was ON was.id = p.root_id
             ORDER BY p.id
             LIMIT $1
            """;

    /** Providers whose parents lead to no root, see {@link #ROOTS}. Params: as for USED_DIFFERS. */
    private static final String PARENT_LOOP = ROOTS + """
                 SELECT p.id, p.uuid, p.name, p.parent_id
                   FROM resource_providers p
                  WHERE NOT EXISTS (SELECT FROM led WHERE led.id = p.id)
                    AND ($2::bigint[] IS NULL OR p.id = ANY($2)))
            SELECT NULL::uuid AS subject, ARRAY[p.id] AS provider_ids, 0::bigint AS object_id,
                   jsonb_build_object('resource_provider', p.uuid, 'resource_provider_name', p.name,
                                      'parent_provider', parent.uuid,
                                      'parent_provider_name', parent.name)::text AS detail
              FROM found p
              LEFT JOIN resource_providers parent ON parent.id = p.parent_id
             ORDER BY p.id
             LIMIT $1
            """;

    /** Rows of {@code provider_traits} whose provider or trait does not exist. Params: as for USED_DIFFERS. */
    private static final String TRAIT_WITHOUT_PROVIDER = """
            SELECT NULL::uuid AS subject, ARRAY[t.provider_id] AS provider_ids, t.trait_id::bigint AS object_id,
                   jsonb_build_object('resource_provider', p.uuid, 'resource_provider_name', p.name,
                                      'provider_id', t.provider_id, 'trait', n.name,
                                      'trait_id', t.trait_id)::text AS detail
              FROM provider_traits t
              LEFT JOIN resource_providers p ON p.id = t.provider_id
              LEFT JOIN traits n ON n.id = t.trait_id
             WHERE (p.id IS NULL OR n.id IS NULL)
               AND ($2::bigint[] IS NULL OR t.provider_id = ANY($2))
             ORDER BY t.provider_id, t.trait_id
             LIMIT $1
            """;

    /** Rows of {@code provider_aggregates} whose provider does not exist. Params: as for USED_DIFFERS. */
    private static final String AGGREGATE_WITHOUT_PROVIDER = """
            SELECT a.aggregate AS subject, ARRAY[a.provider_id] AS provider_ids, 0::bigint AS object_id,
                   jsonb_build_object('aggregate', a.aggregate, 'provider_id', a.provider_id)::text AS detail
              FROM provider_aggregates a
             WHERE NOT EXISTS (SELECT FROM resource_providers p WHERE p.id = a.provider_id)
               AND ($2::bigint[] IS NULL OR a.provider_id = ANY($2))
             ORDER BY a.provider_id, a.aggregate
             LIMIT $1
            """;

    /** Inventories whose provider does not exist. Params: as for USED_DIFFERS. */
    private static final String INVENTORY_WITHOUT_PROVIDER = """
            SELECT NULL::uuid AS subject, ARRAY[i.provider_id] AS provider_ids,
                   i.resource_class_id::bigint AS object_id,
                   jsonb_build_object('provider_id', i.provider_id, 'resource_class', r.name, 'total', i.total,
                                      'used', i.used)::text AS detail
              FROM inventories i
              LEFT JOIN resource_classes r ON r.id = i.resource_class_id
             WHERE NOT EXISTS (SELECT FROM resource_providers p WHERE p.id = i.provider_id)
               AND ($2::bigint[] IS NULL OR i.provider_id = ANY($2))
             ORDER BY i.provider_id, i.resource_class_id
             LIMIT $1
            """;

    /** Consumers without allocations. Params: 1 limit of rows, 2 uuids of the consumers to search (null: all). */
    private static final String EMPTY_CONSUMER = """
            SELECT c.uuid AS subject, ARRAY[]::bigint[] AS provider_ids, 0::bigint AS object_id,
                   jsonb_build_object('consumer', c.uuid, 'project_id', c.project_id, 'user_id', c.user_id,
                                      'consumer_generation', c.generation)::text AS detail
              FROM consumers c
             WHERE NOT EXISTS (SELECT FROM allocations a WHERE a.consumer_uuid = c.uuid)
               AND ($2::uuid[] IS NULL OR c.uuid = ANY($2))
             ORDER BY c.uuid
             LIMIT $1
            """;

    /**
     * The end of a select list, and its FROM clause: aggregates allocations {@code a} into the JSON list {@code taken},
     * and the ids of their providers into {@code provider_ids}.
     */
    private static final String ALLOCATIONS_AS_JSON = """
                   array_agg(DISTINCT a.provider_id) AS provider_ids, 0::bigint AS object_id,
                   jsonb_agg(jsonb_build_object('resource_provider', p.uuid, 'resource_provider_name', p.name,
                                                'provider_id', a.provider_id,
                                                'resource_class', coalesce(r.name, a.resource_class_id::text),
                                                'used', a.used)
                             ORDER BY a.provider_id, a.resource_class_id) AS taken
              FROM allocations a
              LEFT JOIN resource_providers p ON p.id = a.provider_id
              LEFT JOIN resource_classes r ON r.id = a.resource_class_id
            """;

    /**
     * Consumers that have allocations, but are not in the client's list of known consumers. Params: 1 limit of rows, 2
     * uuids of the consumers to search (null: all), 3 uuids of the known consumers, 4 inclusive start of the range of
     * uuids that the list covers (null: none), 5 exclusive end of this range (null: none), 6 seconds for which a
     * consumer must have been unchanged.
     */
    private static final String UNKNOWN_CONSUMER = """
            SELECT c.uuid AS subject, held.provider_ids, held.object_id,
                   jsonb_build_object('consumer', c.uuid, 'project_id', c.project_id, 'user_id', c.user_id,
                                      'consumer_type', c.consumer_type, 'consumer_generation', c.generation,
                                      'allocations', held.taken)::text AS detail
              FROM (SELECT * FROM consumers u
                     WHERE NOT EXISTS (SELECT FROM unnest($3::uuid[]) AS known (uuid) WHERE known.uuid = u.uuid)
                       AND ($2::uuid[] IS NULL OR u.uuid = ANY($2))
                       AND ($4::uuid IS NULL OR u.uuid >= $4)
                       AND ($5::uuid IS NULL OR u.uuid < $5)
                       AND u.updated_at <= now() - $6::integer * interval '1 second'
                       AND EXISTS (SELECT FROM allocations a WHERE a.consumer_uuid = u.uuid)
                     ORDER BY u.uuid
                     LIMIT $1) c
             CROSS JOIN LATERAL (SELECT
            """ + ALLOCATIONS_AS_JSON + """
                    WHERE a.consumer_uuid = c.uuid) held
             ORDER BY c.uuid
            """;

    /** Allocations whose consumer has no row, a row for each consumer. Params: as for EMPTY_CONSUMER. */
    private static final String ALLOCATION_WITHOUT_CONSUMER = allocationsWhere(
            "NOT EXISTS (SELECT FROM consumers c WHERE c.uuid = a.consumer_uuid)");

    /** Allocations whose provider does not exist, a row for each consumer. Params: as for EMPTY_CONSUMER. */
    private static final String ALLOCATION_WITHOUT_PROVIDER = allocationsWhere("p.id IS NULL");

    /**
     * Allocations of a resource class of which their provider has no inventory, a row for each consumer. Params: as for
     * EMPTY_CONSUMER.
     */
    private static final String ALLOCATION_WITHOUT_INVENTORY = allocationsWhere("""
            p.id IS NOT NULL AND NOT EXISTS (SELECT FROM inventories i
                                                    WHERE i.provider_id = a.provider_id
                                                      AND i.resource_class_id = a.resource_class_id)
            """);

    /**
     * Providers and consumers whose generation is negative, or so high that it cannot be raised a million times more
     * (the column is an int). Params: 1 limit of rows.
     */
    private static final String GENERATION_OUT_OF_RANGE = """
            SELECT NULL::uuid AS subject, ARRAY[id] AS provider_ids, 0::bigint AS object_id,
                   jsonb_build_object('resource_provider', uuid, 'resource_provider_name', name,
                                      'generation', generation)::text AS detail
              FROM resource_providers
             WHERE generation NOT BETWEEN 0 AND 2146483647
             UNION ALL
            SELECT uuid, ARRAY[]::bigint[], 0,
                   jsonb_build_object('consumer', uuid, 'generation', generation)::text
              FROM consumers
             WHERE generation NOT BETWEEN 0 AND 2146483647
             LIMIT $1
            """;

    /**
     * Returns a statement that finds allocations {@code a} that satisfy the condition, grouped by consumer. It has the
     * parameters of EMPTY_CONSUMER.
     */
    private static String allocationsWhere(String condition) {
        return """
                SELECT subject, provider_ids, object_id,
                       jsonb_build_object('consumer', subject, 'allocations', taken)::text AS detail
                  FROM (SELECT a.consumer_uuid AS subject,
                """ + ALLOCATIONS_AS_JSON + "WHERE (" + condition + ")" + """
                 AND ($2::uuid[] IS NULL OR a.consumer_uuid = ANY($2))
                         GROUP BY a.consumer_uuid
                         ORDER BY a.consumer_uuid
                         LIMIT $1) found
                """;
    }

    /**
     * Lists findings of all requested kinds except {@link FindingKind#MEMORY_DIFFERS}, which the tables do not show. If
     * a kind has more findings than {@link AuditRequest#perKindMax}, the list contains one more than that of this kind.
     */
    Uni<List<Finding>> list(AuditRequest request) {
        return list(request, request.kinds(), request.perKindMax() + 1, null, null);
    }

    /**
     * Searches the kinds, providers and consumers of the findings {@code before} again, without a limit. The list may
     * contain further findings, for example of the kind of one of these findings on the provider of another.
     */
    Uni<List<Finding>> listAgain(AuditRequest request, List<Finding> before) {
        return list(
                request, before.stream().map(Finding::kind).distinct().toList(), Integer.MAX_VALUE,
                before.stream().flatMap(finding -> finding.providers().stream()).distinct().toArray(Long[]::new),
                before.stream().map(Finding::subject).filter(uuid -> uuid != null).distinct().toArray(UUID[]::new));
    }

    private Uni<List<Finding>> list(
            AuditRequest request, Collection<FindingKind> kinds, int perKindMax,
            @Nullable Long[] providers, @Nullable UUID[] consumers) {
        return Multi.createFrom().iterable(Arrays.stream(FindingKind.values()).filter(kinds::contains).toList())
                .onItem().transformToUniAndConcatenate(kind -> list(kind, request, perKindMax, providers, consumers))
                .collect().in(ArrayList::new, List::addAll);
    }

    private Uni<List<Finding>> list(
            FindingKind kind, AuditRequest request, int perKindMax, @Nullable Long[] providers,
            @Nullable UUID[] consumers) {
        Tuple byProvider = Tuple.tuple().addValue(perKindMax).addValue(providers);
        Tuple byConsumer = Tuple.tuple().addValue(perKindMax).addValue(consumers);
        return switch (kind) {
            case USED_DIFFERS -> run(kind, USED_DIFFERS, byProvider);
            case OVER_CAPACITY -> run(kind, OVER_CAPACITY, byProvider);
            case WRONG_ROOT -> run(kind, WRONG_ROOT, byProvider);
            case PARENT_LOOP -> run(kind, PARENT_LOOP, byProvider);
            case TRAIT_WITHOUT_PROVIDER -> run(kind, TRAIT_WITHOUT_PROVIDER, byProvider);
            case AGGREGATE_WITHOUT_PROVIDER -> run(kind, AGGREGATE_WITHOUT_PROVIDER, byProvider);
            case INVENTORY_WITHOUT_PROVIDER -> run(kind, INVENTORY_WITHOUT_PROVIDER, byProvider);
            case EMPTY_CONSUMER -> run(kind, EMPTY_CONSUMER, byConsumer);
            case ALLOCATION_WITHOUT_CONSUMER -> run(kind, ALLOCATION_WITHOUT_CONSUMER, byConsumer);
            case ALLOCATION_WITHOUT_PROVIDER -> run(kind, ALLOCATION_WITHOUT_PROVIDER, byConsumer);
            case ALLOCATION_WITHOUT_INVENTORY -> run(kind, ALLOCATION_WITHOUT_INVENTORY, byConsumer);
            case GENERATION_OUT_OF_RANGE -> run(kind, GENERATION_OUT_OF_RANGE, Tuple.of(perKindMax));
            case MEMORY_DIFFERS -> Uni.createFrom().item(List.of());
            case UNKNOWN_CONSUMER -> {
                var known = Objects.requireNonNull(request.known());
                yield run(kind, UNKNOWN_CONSUMER, byConsumer
                        .addValue(known.consumers()).addValue(known.from()).addValue(known.until())
                        .addValue(known.settledSeconds()));
            }
        };
    }

    private Uni<List<Finding>> run(FindingKind kind, String sql, Tuple parameters) {
        return connection.preparedQuery(sql).execute(parameters).map(rows -> {
            List<Finding> findings = new ArrayList<>(rows.size());
            for (Row row : rows) {
                findings.add(Finding.of(
                        kind, row.getUUID("subject"), List.of(row.getArrayOfLongs("provider_ids")),
                        row.getLong("object_id"), row.getString("detail")));
            }
            return findings;
        });
    }
}
