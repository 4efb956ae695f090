package io.berth.database;

import io.smallrye.mutiny.Uni;

/** What PostgreSQL rolled back whole, as it and another waited for each other, is run again at once. */
public final class Deadlocks {
    private static final int REPEATS_MAX = 3;

    private Deadlocks() {}

    /** @param transaction one whole, such as a statement by itself; runs anew for each subscriber */
    public static <T> Uni<T> repeated(Uni<T> transaction) {
        return transaction.onFailure(SqlFault.DEADLOCK_OR_SERIALIZATION::isIn).retry().atMost(REPEATS_MAX);
    }
}
