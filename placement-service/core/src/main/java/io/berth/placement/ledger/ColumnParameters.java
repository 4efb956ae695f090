package io.berth.placement.ledger;

import io.berth.placement.ledger.claim.AllocationKey;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;

/** Builds the parameters of statements that take rows as one array per column, for {@code unnest} and {@code = ANY}. */
final class ColumnParameters {
    private ColumnParameters() {}

    /**
     * Returns a tuple with one array per column. {@code Tuple.of} would make each element of an array a parameter of
     * its own.
     */
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
