package io.berth.scheduler.lease;

import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Fence numbers of writes to placement, in blocks of {@value #BLOCK}. A replica that begins a record or takes it over
 * draws a block, and uses its numbers in order: a write of a former owner has a lower number, and placement refuses
 * it.
 */
@Singleton
public class FenceNumbers {
    private static final long BLOCK = 65_536;
    /** SQL for the first number of a new block. */
    public static final String NEXT = "nextval('fences') * " + BLOCK;

    private static final Logger LOG = Logger.getLogger(FenceNumbers.class);

    /** Params: 1 block that no later draw may return. */
    static final String RAISE = "SELECT setval('fences', $1) FROM fences WHERE last_value < $1";

    private final Pool pool;

    public FenceNumbers(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /** Returns the last number of the block that begins with this one. */
    public static long lastOf(long first) {
        return first + BLOCK - 1;
    }

    /** Returns the last number for claims of the block that begins with this one. */
    public static long lastClaimOf(long first) {
        return lastOf(first) - 2;
    }

    /**
     * The numbers with which one owner of a record claims: all of its block except the first, which other requests
     * use to check for its claims, and the last two, which settle and roll back. Not thread-safe; its methods are
     * called one after the other.
     */
    public static final class Block {
        private final long last;
        private long next;

        public Block(long first) {
            this.last = lastClaimOf(first);
            this.next = first + 1;
        }

        public long next() {
            if (next > last) {
                throw new IllegalStateException("no number is left for another claim of the request");
            }
            return next++;
        }
    }

    /**
     * Raises the sequence, so that no block below a number that placement has seen is drawn. The sequence is behind
     * after the database was restored from a backup. Never fails: the next refusal raises it again.
     */
    public Uni<Void> raise(long fence) {
        return pool.preparedQuery(RAISE)
                .execute(Tuple.of(fence / BLOCK))
                .invoke(rows -> {
                    if (rows.size() > 0) {
                        LOG.warnf("placement has seen higher numbers than this database: raised to=%d", fence);
                    }
                })
                .onFailure().invoke(failure -> LOG.warnf("numbers of writes not raised to=%d cause=%s", fence, failure))
                .onFailure().recoverWithNull()
                .replaceWithVoid();
    }
}
