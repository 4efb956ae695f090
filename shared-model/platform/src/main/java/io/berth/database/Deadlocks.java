package io.berth.database;

import io.smallrye.mutiny.Uni;

/** Repeats a transaction that PostgreSQL rolled back because of a deadlock or a serialization failure. */
public final class Deadlocks {
    private static final int REPEATS_MAX = 3;

    private Deadlocks() {}

    /**
     * Returns a Uni that runs the transaction, and after a deadlock or serialization failure repeats it at once, up to
     * {@value #REPEATS_MAX} times. Then it fails with the last failure.
     *
     * @param transaction a whole transaction, such as a single statement; each subscription must run it again
     */
    public static <T> Uni<T> repeated(Uni<T> transaction) {
        return transaction.onFailure(SqlFault.DEADLOCK_OR_SERIALIZATION::isKindOf).retry().atMost(REPEATS_MAX);
    }
}
