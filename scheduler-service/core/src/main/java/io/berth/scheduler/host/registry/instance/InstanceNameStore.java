package io.berth.scheduler.host.registry.instance;

import io.quarkus.arc.DefaultBean;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Finds registered instances by name, and names by uuid. */
@Singleton
@DefaultBean
public class InstanceNameStore implements InstanceNames {
    /** Params: 1 name, 2 maximum rows. Returns {@code uuid} and {@code host}, ordered by uuid. */
    static final String FIND = "SELECT uuid, host FROM instances WHERE body ->> 'name' = $1 ORDER BY uuid LIMIT $2";

    /** Params: 1 uuids. Returns {@code uuid} and {@code name} of the registered instances that have a name. */
    static final String NAMES =
            "SELECT uuid, body ->> 'name' AS name FROM instances WHERE uuid = ANY($1) AND (body ->> 'name') IS NOT"
                    + " NULL";

    private final Pool pool;

    InstanceNameStore(Pool pool) {
        this.pool = pool;
    }

    @Override
    public Uni<Map<UUID, String>> namesOf(Collection<UUID> instances) {
        return instances.isEmpty()
                ? Uni.createFrom().item(Map.of())
                : pool.preparedQuery(NAMES).execute(Tuple.tuple().addArrayOfUUID(instances.toArray(UUID[]::new)))
                        .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                                .collect(Collectors.toMap(row -> row.getUUID("uuid"), row -> row.getString("name"))));
    }

    @Override
    public Uni<List<NamedInstance>> find(String name) {
        return pool.preparedQuery(FIND).execute(Tuple.of(name, NameLookup.CANDIDATES_MAX + 1L))
                .map(rows -> NamedInstance.of(name, rows));
    }
}
