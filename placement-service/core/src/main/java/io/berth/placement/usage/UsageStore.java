package io.berth.placement.usage;

import io.berth.placement.db.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/** Reads the total use of a project, or of one user of the project: the sums of allocations. */
@Singleton
public final class UsageStore {
    /**
     * Params: 1 project id, 2 user id (null: all users). Returns a row for each resource class with allocations: its
     * name, and the sum of the allocations; ordered by the id of the class.
     */
    private static final String BY_CLASS = """
            SELECT r.name AS resource_class, sum(a.used)::bigint AS used
              FROM consumers c
              JOIN allocations a ON a.consumer_uuid = c.uuid
              JOIN resource_classes r ON r.id = a.resource_class_id
             WHERE c.project_id = $1
               AND ($2::varchar IS NULL OR c.user_id = $2)
             GROUP BY r.id, r.name
             ORDER BY r.id
            """;

    /**
     * Params: 1 project id, 2 user id (null: all users), 3 consumer type (null: all types; "unknown": consumers without
     * a type), 4 true to sum all types as the type "all". Returns a row for each consumer type and resource class with
     * allocations: both names, the sum of the allocations, and the number of consumers of the type with allocations;
     * ordered by type and the id of the class. The statement groups twice, because a consumer with allocations of
     * several classes counts once.
     */
    private static final String BY_TYPE_AND_CLASS = """
            WITH held AS (
                 SELECT CASE WHEN $4 THEN 'all' ELSE coalesce(c.consumer_type, 'unknown') END AS consumer_type,
                        c.uuid, a.resource_class_id, a.used
                   FROM consumers c
                   JOIN allocations a ON a.consumer_uuid = c.uuid
                  WHERE c.project_id = $1
                    AND ($2::varchar IS NULL OR c.user_id = $2)
                    AND ($3::varchar IS NULL OR coalesce(c.consumer_type, 'unknown') = $3))
            SELECT u.consumer_type, r.name AS resource_class, u.used, n.consumer_count
              FROM (SELECT consumer_type, resource_class_id, sum(used)::bigint AS used
                      FROM held GROUP BY consumer_type, resource_class_id) u
              JOIN (SELECT consumer_type, count(DISTINCT uuid) AS consumer_count
                      FROM held GROUP BY consumer_type) n ON n.consumer_type = u.consumer_type
              JOIN resource_classes r ON r.id = u.resource_class_id
             ORDER BY u.consumer_type, r.id
            """;

    private final Reads reads;

    UsageStore(Reads reads) {
        this.reads = reads;
    }

    /** The use of one resource class, in units. */
    record OfClass(String resourceClass, long used) {}

    /**
     * The use of one resource class by the consumers of one type.
     *
     * @param consumerCount the number of consumers of this type with allocations, the same for each class
     */
    record OfType(String consumerType, String resourceClass, long used, long consumerCount) {}

    /**
     * Lists the use by resource class.
     *
     * @param userId null for all users of the project
     */
    Uni<List<OfClass>> listByClass(@Nullable String projectId, @Nullable String userId) {
        return reads.run(BY_CLASS, Tuple.of(projectId, userId)).map(rows -> {
            List<OfClass> usages = new ArrayList<>(rows.size());
            for (Row row : rows) {
                usages.add(new OfClass(row.getString("resource_class"), row.getLong("used")));
            }
            return usages;
        });
    }

    /**
     * Lists the use by consumer type and resource class, ordered by type.
     *
     * @param userId null for all users of the project
     * @param consumerType null for all types; "unknown" for consumers without a type
     */
    Uni<List<OfType>> listByType(@Nullable String projectId, @Nullable String userId, @Nullable String consumerType) {
        return readByType(Tuple.of(projectId, userId, consumerType, false));
    }

    /**
     * Lists the use by resource class, summed over all consumer types, as the type "all".
     *
     * @param userId null for all users of the project
     */
    Uni<List<OfType>> listSummedOverTypes(@Nullable String projectId, @Nullable String userId) {
        return readByType(Tuple.of(projectId, userId, null, true));
    }

    private Uni<List<OfType>> readByType(Tuple parameters) {
        return reads.run(BY_TYPE_AND_CLASS, parameters).map(rows -> {
            List<OfType> usages = new ArrayList<>(rows.size());
            for (Row row : rows) {
                usages.add(new OfType(
                        row.getString("consumer_type"), row.getString("resource_class"), row.getLong("used"),
                        row.getLong("consumer_count")));
            }
            return usages;
        });
    }
}
