package io.berth.scheduler.groupreservation;

import io.berth.scheduler.host.Place;
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

/** Updates the registrations of group members that were moved without Berth. */
@Singleton
class MemberStore {
    /** Params: 1 instances. */
    static final String VERSIONS = "SELECT uuid, version FROM instances WHERE uuid = ANY($1)";

    /**
     * Params: 1 instances, each once, 2 versions of their registrations, 3 hosts, 4 nodes or nulls. Skips a
     * registration that changed since or is locked, and an instance whose claim is in flight.
     */
    static final String FOLLOW = """
            WITH there AS (
                SELECT instances.uuid, known.host, known.nodename
                  FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[]) AS known(uuid, version, host, nodename)
                  JOIN instances USING (uuid, version)
                 WHERE NOT EXISTS (
                %s)
                   FOR UPDATE OF instances SKIP LOCKED)
            UPDATE instances
               SET body = body || jsonb_build_object('host', there.host, 'nodename', there.nodename),
                   version = version + 1
              FROM there
             WHERE instances.uuid = there.uuid
            """.formatted(OpenRequestSql.of("instances.uuid", "''"));

    private final Pool pool;

    MemberStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /** Returns the versions of those instances that have a registration. */
    Uni<Map<UUID, Long>> versions(Set<UUID> instances) {
        return pool.preparedQuery(VERSIONS).execute(Tuple.of(instances.toArray(UUID[]::new))).map(rows -> {
            Map<UUID, Long> versions = new HashMap<>();
            rows.forEach(row -> versions.put(row.getUUID("uuid"), row.getLong("version")));
            return versions;
        });
    }

    /** Writes the places to the registrations, and returns how many were updated. */
    Uni<Integer> follow(Map<UUID, Place> places, Map<UUID, Long> versions) {
        List<UUID> known = places.keySet().stream().filter(versions::containsKey).toList();
        return pool.preparedQuery(FOLLOW)
                .execute(Tuple.of(
                        known.toArray(UUID[]::new),
                        known.stream().map(versions::get).toArray(Long[]::new),
                        known.stream().map(each -> places.get(each).host()).toArray(String[]::new),
                        known.stream().map(each -> places.get(each).nodename()).toArray(String[]::new)))
                .map(RowSet::rowCount);
    }
}
