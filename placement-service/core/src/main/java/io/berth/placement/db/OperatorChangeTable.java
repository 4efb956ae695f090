package io.berth.placement.db;

import io.berth.database.change.ChangeStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Creates the store of operators' changes, on the pool for reads. */
@Singleton
final class OperatorChangeTable {
    @Produces
    @Singleton
    ChangeStore store(Reads reads) {
        return new ChangeStore(reads::run);
    }
}
