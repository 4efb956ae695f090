package io.berth.scheduler.db;

import io.berth.database.change.ChangeStore;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Provides the store of operators' changes, which uses the registry's connection pool. */
@Singleton
final class OperatorChangeTable {
    @Produces
    @Singleton
    ChangeStore store(Pool registry) {
        return new ChangeStore((sql, parameters) -> registry.preparedQuery(sql).execute(parameters));
    }
}
