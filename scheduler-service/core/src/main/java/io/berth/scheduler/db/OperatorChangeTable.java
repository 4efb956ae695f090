package io.berth.scheduler.db;

import io.berth.database.change.ChangeStore;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Stores operators' changes by the connections of the registry. */
@Singleton
final class OperatorChangeTable {
    @Produces
    @Singleton
    ChangeStore store(Pool registry) {
        return new ChangeStore((sql, parameters) -> registry.preparedQuery(sql).execute(parameters));
    }
}
