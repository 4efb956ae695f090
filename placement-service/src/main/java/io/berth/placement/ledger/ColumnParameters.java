package io.berth.placement.ledger;

import io.berth.placement.ledger.claim.AllocationKey;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;

/** Builds the parameters of statements that take rows as columns: arrays for {@code unnest} and {@code = ANY}. */
final class ColumnParameters {
    private ColumnParameters() {}

    /** Builds the tuple value by value, because Tuple.of spreads an array over several parameters. */
    static Tuple of(Object[]... columns) {
        Tuple parameters = Tuple.tuple();
        for (Object[] column : columns) {
            parameters.addValue(column);
        }
        return parameters;
    }

    static Long[] providerIds(Collection<AllocationKey> keys) {
        return keys.stream().map(AllocationKey::providerId).toArray(Long[]::new);
    }

    static Integer[] classIds(Collection<AllocationKey> keys) {
        return keys.stream().map(AllocationKey::resourceClassId).toArray(Integer[]::new);
    }
}
