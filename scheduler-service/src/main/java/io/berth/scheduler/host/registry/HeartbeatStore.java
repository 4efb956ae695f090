package io.berth.scheduler.host.registry;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Heartbeats of compute services: too many for one entity each. */
@Singleton
class HeartbeatStore {
    /** Params: 1 service uuid. Zero rows updated: there is no such service. */
    static final String BEAT = "UPDATE services SET last_heartbeat = now() WHERE uuid = $1";

    private final Pool pool;

    HeartbeatStore(Pool pool) {
        this.pool = pool;
    }

    /** False when there is no such service. */
    Uni<Boolean> beat(UUID service) {
        return pool.preparedQuery(BEAT).execute(Tuple.of(service)).map(rows -> rows.rowCount() == 1);
    }
}
