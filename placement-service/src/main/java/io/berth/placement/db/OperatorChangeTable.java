package io.berth.placement.db;

import io.berth.database.change.ChangeStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** What operators changed is kept by the connections of reads, which wait for nobody's locks. */
@Singleton
final class OperatorChangeTable {
    @Produces
    @Singleton
    ChangeStore store(Reads reads) {
        return new ChangeStore(reads::run);
    }
}
