package io.berth.scheduler.host.registry.instance;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.stream.StreamSupport;

/** Registered instances by their names. */
@Singleton
public class InstanceNameStore {
    /** Params: 1 name, 2 instances. */
    static final String FIND = "SELECT uuid, host FROM instances WHERE body ->> 'name' = $1 ORDER BY uuid LIMIT $2";

    private final Pool pool;

    InstanceNameStore(Pool pool) {
        this.pool = pool;
    }

    /** As many as {@link NameLookup#CANDIDATES_MAX}, and one more if there are more. */
    public Uni<List<NamedInstance>> find(String name) {
        return pool.preparedQuery(FIND).execute(Tuple.of(name, NameLookup.CANDIDATES_MAX + 1L))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new NamedInstance(name, row.getUUID("uuid"), row.getString("host")))
                        .toList());
    }
}
