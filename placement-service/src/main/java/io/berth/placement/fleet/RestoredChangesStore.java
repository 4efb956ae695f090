package io.berth.placement.fleet;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import org.jboss.logging.Logger;

/**
 * The record of changes names transactions of the server that ran them. Restored from a backup on a server that has not
 * come as far, it would speak of transactions yet to come: every catch-up would find all of them changed since, or, by
 * the watermark, reload everything, until that server has caught up, which may take for ever.
 */
final class RestoredChangesStore {
    private static final Logger LOG = Logger.getLogger(RestoredChangesStore.class);

    /** One row. What a statement sees was committed below the end of its own snapshot, unless another server did it. */
    private static final String ARE_THERE = """
            SELECT NOT pg_is_in_recovery()
                   AND (EXISTS (SELECT FROM fleet_changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
                        OR EXISTS (SELECT FROM fleet_watermark
                                    WHERE pruned_before > pg_snapshot_xmax(pg_current_snapshot()))) AS are_there
            """;

    /** The watermark makes whoever holds a snapshot from before reload once. May run on several replicas at once. */
    private static final String FORGET = """
            WITH gone AS (DELETE FROM fleet_changes WHERE xid >= pg_snapshot_xmax(pg_current_snapshot()))
            UPDATE fleet_watermark SET pruned_before = pg_snapshot_xmax(pg_current_snapshot())
            """;

    private final Pool pool;

    RestoredChangesStore(Pool pool) {
        this.pool = pool;
    }

    /** To be done before everything is read: whoever reads it anew needs no record of what changed before. */
    Uni<Void> forget() {
        return pool.query(ARE_THERE).execute()
                .map(rows -> rows.iterator().next().getBoolean("are_there"))
                .chain(areThere -> areThere ? pool.query(FORGET).execute().invoke(() -> LOG.info(
                        "this database was restored from another server: its record of changes starts anew"))
                        .replaceWithVoid() : Uni.createFrom().voidItem());
    }
}
