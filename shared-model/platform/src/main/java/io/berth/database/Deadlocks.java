package io.berth.database;

import io.smallrye.mutiny.Uni;

/** Repeats a transaction that PostgreSQL rolled back because of a deadlock. */
public final class Deadlocks {
    private static final int REPEATS_MAX = 3;

    private Deadlocks() {}

    /**
     * Returns the transaction with its repetitions.
     *
     * @param transaction a whole transaction, such as a single statement; runs again for each subscription
     */
    public static <T> Uni<T> repeated(Uni<T> transaction) {
        return transaction.onFailure(SqlFault.DEADLOCK_OR_SERIALIZATION::isIn).retry().atMost(REPEATS_MAX);
    }
}
