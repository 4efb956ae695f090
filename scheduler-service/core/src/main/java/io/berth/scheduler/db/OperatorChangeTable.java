package io.berth.scheduler.db;

import io.berth.database.change.ChangeStore;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Provides the store of the changes that operators made ({@code GET /v1/changes}). It uses the pool {@code registry}.
 */
@Singleton
final class OperatorChangeTable {
    @Produces
    @Singleton
    ChangeStore store(Pool registry) {
        return new ChangeStore((sql, parameters) -> registry.preparedQuery(sql).execute(parameters));
    }
}
