package io.berth.scheduler.groupreservation;

import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.instance.InstanceSql;
import io.berth.scheduler.lease.OpenRequestSql;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Updates the registered host of server-group members that nova moved without a claim by Berth. */
@Singleton
class MemberStore {
    /** Params: 1 uuids of instances. Returns {@code uuid} and {@code version} of each instance that is registered. */
    static final String VERSIONS = "SELECT uuid, version FROM instances WHERE uuid = ANY($1)";

    /**
     * Writes hosts and nodes to registrations; the row count is the number of written registrations. Params, each an
     * array with one element per instance: 1 uuids of distinct instances, 2 versions of their registrations, 3 hosts,
     * 4 node names or nulls. Skips a registration that was deleted, has another version or is locked, and an instance
     * on which an open request or move of Berth works ({@link OpenRequestSql}).
     */
    static final String WRITE_PLACES = """
            WITH located AS (
                SELECT instances.uuid, known.host, known.nodename
                  FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) AS known(uuid, version, host, nodename)
                  JOIN instances USING (uuid, version)
                 WHERE NOT EXISTS (
                %s)
                   FOR UPDATE OF instances SKIP LOCKED)
            %s
              FROM located
             WHERE instances.uuid = located.uuid
            """.formatted(
            OpenRequestSql.of("instances.uuid", "''"),
            InstanceSql.update("body || jsonb_build_object('host', located.host, 'nodename', located.nodename)"));

    private final Pool pool;

    MemberStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /** Returns the version of each instance's registration; instances that are not registered are missing. */
    Uni<Map<UUID, Long>> versions(Set<UUID> instances) {
        return pool.preparedQuery(VERSIONS).execute(Tuple.of(instances.toArray(UUID[]::new))).map(rows -> {
            Map<UUID, Long> versions = new HashMap<>();
            rows.forEach(row -> versions.put(row.getUUID("uuid"), row.getLong("version")));
            return versions;
        });
    }

    /**
     * Writes hosts and nodes to registrations, except those that {@link #WRITE_PLACES} skips.
     *
     * @param places new host and node by instance; an instance that is missing in {@code versions} is skipped
     * @param versions version that the registration must still have, by instance
     * @return the number of updated registrations
     */
    Uni<Integer> writePlaces(Map<UUID, Place> places, Map<UUID, Long> versions) {
        List<Map.Entry<UUID, Place>> known =
                places.entrySet().stream().filter(each -> versions.containsKey(each.getKey())).toList();
        return pool.preparedQuery(WRITE_PLACES)
                .execute(Tuple.of(
                        known.stream().map(Map.Entry::getKey).toArray(UUID[]::new),
                        known.stream().map(each -> versions.get(each.getKey())).toArray(Long[]::new),
                        known.stream().map(each -> each.getValue().host()).toArray(String[]::new),
                        known.stream().map(each -> each.getValue().nodename()).toArray(String[]::new)))
                .map(RowSet::rowCount);
    }
}
