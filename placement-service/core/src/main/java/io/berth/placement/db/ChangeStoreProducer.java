package io.berth.placement.db;

import io.berth.database.change.ChangeStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/**
 * Produces the store of the table {@code operator_changes}, which uses the pool for reads. A write whose result fails
 * because the database hangs may still take effect.
 */
@Singleton
final class ChangeStoreProducer {
    @Produces
    @Singleton
    ChangeStore store(Reads reads) {
        return new ChangeStore(reads::run);
    }
}
