package io.berth.placement.db;

import io.berth.database.change.ChangeStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** Creates the store of operators' changes. It uses the pool for reads, whose connections never wait for locks. */
@Singleton
final class OperatorChangeTable {
    @Produces
    @Singleton
    ChangeStore store(Reads reads) {
        return new ChangeStore(reads::run);
    }
}
