package io.berth.scheduler.lease;

import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Fence numbers, which writes to placement carry, in blocks of {@value #BLOCK}. Placement refuses a write whose number
 * is not higher than all that it has seen for the consumer. A replica draws a block when it begins a record or takes a
 * record over from another replica, and uses the numbers of the block in ascending order. All numbers of the former
 * owner are lower, so that placement refuses the former owner's late writes as soon as it has seen a number of the new
 * owner.
 */
@Singleton
public class FenceNumbers {
    private static final long BLOCK = 65_536;
    /** An SQL expression that draws a block and returns its first number. */
    public static final String NEXT = "nextval('fences') * " + BLOCK;

    private static final Logger LOG = Logger.getLogger(FenceNumbers.class);

    /**
     * Moves the sequence past a block. Params: 1 the highest block that is in use. Returns a row if the sequence moved,
     * and none if it is past the block already.
     */
    static final String RAISE = "SELECT setval('fences', $1) FROM fences WHERE last_value < $1";

    private final Pool pool;

    public FenceNumbers(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /**
     * Returns the last number of a block.
     *
     * @param first the first number of the block
     */
    public static long lastOf(long first) {
        return first + BLOCK - 1;
    }

    /**
     * Returns the last number of a block that may be used for a claim.
     *
     * @param first the first number of the block
     */
    public static long lastClaimOf(long first) {
        return lastOf(first) - 2;
    }

    /**
     * The numbers with which one owner of a record makes claims. The block has three further numbers: the first, with
     * which another request checks whether a claim of this block was committed; the second to last, for the owner's
     * settlement; and the last, for its rollback. Not thread-safe.
     */
    public static final class Block {
        private final long last;
        private long next;

        /** @param first the first number of the block */
        public Block(long first) {
            this.last = lastClaimOf(first);
            this.next = first + 1;
        }

        /**
         * Returns the next higher number.
         *
         * @throws IllegalStateException after {@value #BLOCK} - 3 numbers
         */
        public long next() {
            if (next > last) {
                throw new IllegalStateException(
                        "all fence numbers of the block are used: the request makes too many claims");
            }
            return next++;
        }
    }

    /**
     * Raises the sequence above a number that placement has seen, so that later blocks are higher. The sequence lags
     * behind placement if the scheduler's database was restored from a backup. Never fails; a failed statement is
     * logged, and the next refused write calls this method again.
     *
     * @param fence the fence number that placement has seen
     */
    public Uni<Void> raise(long fence) {
        return pool.preparedQuery(RAISE)
                .execute(Tuple.of(fence / BLOCK))
                .invoke(rows -> {
                    if (rows.size() > 0) {
                        LOG.warnf("placement has seen a higher fence number than this database: sequence raised to=%d",
                                fence);
                    }
                })
                .onFailure().invoke(
                        failure -> LOG.warnf("sequence of fence numbers not raised to=%d cause=%s", fence, failure))
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }
}
