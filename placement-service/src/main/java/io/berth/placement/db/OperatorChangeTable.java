package io.berth.placement.db;

import io.berth.database.change.ChangeStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Stores operators' changes over the pool for reads, which waits for no locks. */
@Singleton
final class OperatorChangeTable {
    @Produces
    @Singleton
    ChangeStore store(Reads reads) {
        return new ChangeStore(reads::run);
    }
}
