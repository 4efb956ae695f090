package io.berth.placement.ledger;

import io.berth.placement.ledger.claim.AllocationKey;
import io.vertx.sqlclient.Tuple;
import java.util.Collection;

/** A statement's parameters, each a column of rows: the arrays that {@code unnest} and {@code = ANY} take. */
final class Columns {
    private Columns() {}

    /** Not Tuple.of: that one spreads an array over several parameters. */
    static Tuple of(Object[]... columns) {
        Tuple parameters = Tuple.tuple();
        for (Object[] column : columns) {
            parameters.addValue(column);
        }
        return parameters;
    }

    static Long[] providerIds(Collection<AllocationKey> keys) {
        Long[] ids = new Long[keys.size()];
        int i = 0;
        for (AllocationKey key : keys) {
            ids[i++] = key.providerId();
        }
        return ids;
    }

    static Integer[] classIds(Collection<AllocationKey> keys) {
        Integer[] ids = new Integer[keys.size()];
        int i = 0;
        for (AllocationKey key : keys) {
            ids[i++] = key.resourceClassId();
        }
        return ids;
    }
}
