package io.berth.scheduler.host.registry.instance;

import io.berth.database.Deadlocks;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.UUID;

/** Replaces the registrations of all instances of one compute node in one statement. */
@Singleton
class NodeInstanceStore {
    /** Maximum age of a node's list, in seconds: instances placed within this time may be missing in the list. */
    private static final double LIST_AGE_MAX_SECONDS = 120;

    /**
     * Params: 1 uuid of the compute node, 2 listed instances, each once, 3 their records without host and nodename, as
     * JSON text in the same order, 4 maximum age of the list in seconds. Returns one row: {@code known} (whether the
     * node exists).
     *
     * <p>Deletes the registrations on the node that are not listed, and stores their last host ({@link LastHostSql}).
     * Registers the listed instances on the node, with their stored names where the new records have none
     * ({@link InstanceSql#BODY_WITH_NAMES}). Does not change an instance with an open request or move, with a request
     * that began or a move that changed within the maximum age, with a source reservation of the last day, or with a
     * registration that a concurrent transaction has changed. Locks all instances in the order of their uuids before it
     * writes, which avoids deadlocks.
     */
    static final String REPLACE = """
            WITH node AS (
                SELECT host, nodename FROM compute_nodes WHERE uuid = $1),
            known AS (
                SELECT instances.uuid, instances.version
                  FROM node JOIN instances USING (host)
                 WHERE coalesce(instances.body ->> 'nodename', node.nodename) = node.nodename
                UNION
                SELECT uuid, version FROM instances WHERE uuid = ANY($2)),
            locked AS (
                SELECT instances.uuid FROM instances JOIN known USING (uuid, version)
                 ORDER BY instances.uuid
                   FOR UPDATE OF instances),
            left_alone AS (
                SELECT uuid FROM known WHERE uuid NOT IN (SELECT uuid FROM locked)
                UNION ALL
                SELECT uuid FROM (SELECT uuid FROM known UNION SELECT unnest($2)) AS concerned(uuid)
                 WHERE EXISTS (SELECT FROM request_instances JOIN request_records USING (key)
                     LEFT JOIN request_leases USING (key)
                                WHERE request_instances.instance = concerned.uuid
                                  AND (request_leases.key IS NOT NULL
                                       OR request_records.begun_at > now() - make_interval(secs => $4)))
                    OR EXISTS (SELECT FROM moves
                                WHERE moves.instance_uuid = concerned.uuid
                                  AND (moves.state IN ('started', 'reverting')
                                       OR moves.changed_at > now() - make_interval(secs => $4)))
                    OR EXISTS (SELECT FROM server_group_reservations
                                WHERE server_group_reservations.instance = concerned.uuid
                                    AND server_group_reservations.leaving
                                  -- Only later requests of the group delete its reservations: an old one may be stale.
                                  AND server_group_reservations.taken_at > now() - interval '1 day')),
            gone AS (
                %1$s
                   AND instances.uuid <> ALL($2) AND instances.uuid NOT IN (SELECT uuid FROM left_alone)
                %2$s),
            remembered AS (
                %3$s),
            registered AS (
                %4$s
                  FROM node, unnest($2::uuid[], $3::text[]) AS listed(uuid, body)
                 WHERE listed.uuid NOT IN (SELECT uuid FROM left_alone)
                 ORDER BY listed.uuid
                %5$s
                 WHERE instances.body <> %6$s
                   AND excluded.uuid IN (SELECT uuid FROM locked))
            SELECT EXISTS (SELECT FROM node) AS known
            """.formatted(
            InstanceSql.delete("locked", "uuid"), LastHostSql.RETURNING_GONE, LastHostSql.insertLastHosts("NULL"),
            InstanceSql.insertUnverified("listed.uuid", "cast(listed.body AS jsonb)"
                    + " || jsonb_build_object('host', node.host, 'nodename', node.nodename)"),
            InstanceSql.orReplace(InstanceSql.BODY_WITH_NAMES), InstanceSql.BODY_WITH_NAMES);

    private final Pool pool;

    NodeInstanceStore(Pool pool) {
        this.pool = pool;
    }

    /**
     * Replaces the instances of a node, except those that {@link #REPLACE} does not change. Returns false, and changes
     * nothing, if the node is not registered.
     *
     * @param bodies record of each instance, without host and nodename, as JSON text by uuid
     */
    Uni<Boolean> replace(UUID node, Map<UUID, String> bodies) {
        return Deadlocks.repeated(pool.preparedQuery(REPLACE)
                .execute(Tuple.of(
                        node,
                        bodies.keySet().toArray(UUID[]::new),
                        bodies.values().toArray(String[]::new),
                        LIST_AGE_MAX_SECONDS)))
                .map(rows -> rows.iterator().next().getBoolean("known"));
    }
}
