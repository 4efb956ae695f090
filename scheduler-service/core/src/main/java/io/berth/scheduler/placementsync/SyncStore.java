package io.berth.scheduler.placementsync;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Stores the hosts that are pending for placement, shared by all replicas. A replica leases a host instead of locking
 * it, so that a change of the registry can note the host without waiting for placement.
 */
@Singleton
class SyncStore {
    /** Params: 1 seconds of the lease. Returns at most one row; zero rows: no host is due. */
    static final String LEASE = """
            WITH due AS (
                SELECT host, in_doubt
                  FROM sync_outbox
                 WHERE next_at <= now() AND (leased_until IS NULL OR leased_until <= now())
                 ORDER BY next_at
                 LIMIT 1
                   FOR UPDATE SKIP LOCKED)
            UPDATE sync_outbox AS taken
               SET leased_until = now() + make_interval(secs => $1), attempts = attempts + 1, in_doubt = true
              FROM due
             WHERE taken.host = due.host
            RETURNING taken.host, revision, leased_until, attempts, status, aggregates, compute_nodes, due.in_doubt
            """;

    /**
     * Params: 1 hosts that placement has as disabled. Notes these, if they have a service, and the hosts of disabled
     * services, unless they are pending already; returns a row each. In the order of their names, so that two
     * replicas never deadlock.
     */
    static final String COMPARE_DISABLED = """
            SELECT sync_host(host, true, '{}', '{}')
              FROM (SELECT DISTINCT host
                      FROM services
                     WHERE (body ->> 'disabled' = 'true' OR host = ANY ($1))
                       AND NOT EXISTS (SELECT FROM sync_outbox WHERE sync_outbox.host = services.host)
                     ORDER BY host) AS disabled
            """;

    /**
     * Params: 1 host, 2 revision, 3 end of the lease. Zero rows: the registry changed, or another replica has the
     * lease.
     */
    static final String DONE =
            "DELETE FROM sync_outbox WHERE host = $1 AND revision = $2 AND leased_until = $3";

    /** Params: 1 host, 2 end of the lease. Makes the host due at once. Zero rows: another replica has the lease. */
    static final String AGAIN =
            "UPDATE sync_outbox SET leased_until = NULL, in_doubt = false WHERE host = $1 AND leased_until = $2";

    /**
     * Params: 1 host, 2 revision, 3 end of the lease, 4 seconds until it is due again unless the registry changed, 5
     * error, 6 whether a write had no response. Zero rows: another replica has the lease.
     */
    static final String POSTPONE = """
            UPDATE sync_outbox
               SET leased_until = NULL,
                   next_at = CASE WHEN revision = $2 THEN now() + make_interval(secs => $4) ELSE now() END,
                   last_error = $5,
                   last_error_at = now(),
                   in_doubt = $6
             WHERE host = $1 AND leased_until = $3
            """;

    /**
     * Params: 1 aggregates. Returns one row: the number of hosts that were not tried since the registry changed, or
     * are being tried.
     */
    static final String UNTRIED = """
            SELECT count(*) AS untried
              FROM sync_outbox
             WHERE aggregates && $1 AND (attempts = 0 OR leased_until > now())
            """;

    /**
     * Params: 1 host or null for all, 2 aggregates or null for all. Returns one row; the ages and the error are null
     * if nothing is pending.
     */
    static final String SUMMARY = """
            SELECT count(*) AS pending,
                   min(since) AS oldest_since,
                   extract(epoch FROM now() - min(since))::float8 AS oldest_seconds,
                   (array_agg(last_error ORDER BY last_error_at DESC)
                       FILTER (WHERE last_error IS NOT NULL))[1] AS last_error
              FROM sync_outbox
             WHERE ($1::text IS NULL OR host = $1) AND ($2::uuid[] IS NULL OR aggregates && $2)
            """;

    /** No params. Returns one row: how many hosts are pending, and for how long the first of them has been. */
    static final String COUNT = """
            SELECT count(*) AS pending, coalesce(extract(epoch FROM now() - min(since)), 0)::float8 AS oldest_seconds
              FROM sync_outbox
            """;

    /**
     * Params: 1 host or null for all, 2 aggregates or null for all, 3 maximum rows. Returns the longest pending
     * first.
     */
    static final String LIST = """
            SELECT host, status, aggregates, compute_nodes, since, next_at, attempts, last_error, last_error_at
              FROM sync_outbox
             WHERE ($1::text IS NULL OR host = $1) AND ($2::uuid[] IS NULL OR aggregates && $2)
             ORDER BY since, host
             LIMIT $3
            """;

    private static final int ERROR_LENGTH_MAX = 1_000;

    private final Pool pool;

    SyncStore(Pool pool) {
        this.pool = pool;
    }

    /** The number of pending hosts, and how long the oldest has been pending, in seconds. NaN if unknown. */
    record Left(double count, double oldestSeconds) {
        static final Left UNKNOWN = new Left(Double.NaN, Double.NaN);
    }

    Uni<Left> count() {
        return pool.query(COUNT).execute().map(rows -> {
            Row all = rows.iterator().next();
            return new Left(all.getLong("pending"), all.getDouble("oldest_seconds"));
        });
    }

    /** Returns null if no host is due. */
    Uni<PendingHost> lease(double seconds) {
        return pool.preparedQuery(LEASE)
                .execute(Tuple.of(seconds))
                .map(rows -> rows.size() == 0 ? null : pending(rows.iterator().next()));
    }

    /**
     * Notes disabled hosts, so that their traits are compared again although the registry did not change.
     *
     * @param marked hosts that placement has as disabled
     */
    Uni<Void> compareDisabled(Collection<String> marked) {
        return pool.preparedQuery(COMPARE_DISABLED)
                .execute(Tuple.of((Object) marked.toArray(String[]::new)))
                .replaceWithVoid();
    }

    /** Removes the host, which is synchronized; if the registry changed meanwhile, it is due again. */
    Uni<Void> finish(PendingHost host) {
        return pool.preparedQuery(DONE)
                .execute(Tuple.of(host.host(), host.revision(), host.leasedUntil()))
                .chain(rows -> rows.rowCount() == 1
                        ? Uni.createFrom().voidItem()
                        : pool.preparedQuery(AGAIN)
                                .execute(Tuple.of(host.host(), host.leasedUntil()))
                                .replaceWithVoid());
    }

    /** @param inDoubt whether a write had no response */
    Uni<Void> postpone(PendingHost host, double seconds, String why, boolean inDoubt) {
        String error = why.length() > ERROR_LENGTH_MAX ? why.substring(0, ERROR_LENGTH_MAX) : why;
        return pool.preparedQuery(POSTPONE)
                .execute(Tuple.of(host.host(), host.revision(), host.leasedUntil(), seconds, error, inDoubt))
                .replaceWithVoid();
    }

    /**
     * Returns the number of hosts in the aggregates that were not tried yet or are being tried, so that placement may
     * soon have them.
     */
    Uni<Long> untried(Collection<UUID> aggregates) {
        return pool.preparedQuery(UNTRIED)
                .execute(Tuple.of((Object) aggregates.toArray(UUID[]::new)))
                .map(rows -> rows.iterator().next().getLong("untried"));
    }

    /**
     * @param host null for all hosts
     * @param aggregates with a pending membership; null for any
     */
    Uni<SyncState> state(@Nullable String host, @Nullable Collection<UUID> aggregates, int hostsMax) {
        UUID[] uuids = aggregates == null ? null : aggregates.toArray(UUID[]::new);
        return pool.preparedQuery(SUMMARY).execute(Tuple.of(host, uuids)).chain(summary -> pool.preparedQuery(LIST)
                .execute(Tuple.of(host, uuids, hostsMax))
                .map(rows -> {
                    List<SyncState.Host> hosts = new ArrayList<>();
                    rows.forEach(row -> hosts.add(host(row)));
                    Row all = summary.iterator().next();
                    return new SyncState(
                            all.getLong("pending"),
                            all.getOffsetDateTime("oldest_since"),
                            all.getDouble("oldest_seconds"),
                            all.getString("last_error"),
                            hosts);
                }));
    }

    private static SyncState.Host host(Row row) {
        return new SyncState.Host(
                row.getString("host"),
                row.getBoolean("status"),
                uuids(row, "aggregates"),
                uuids(row, "compute_nodes"),
                row.getOffsetDateTime("since"),
                row.getOffsetDateTime("next_at"),
                row.getInteger("attempts"),
                row.getString("last_error"),
                row.getOffsetDateTime("last_error_at"));
    }

    private static PendingHost pending(Row row) {
        return new PendingHost(
                row.getString("host"),
                row.getLong("revision"),
                row.getOffsetDateTime("leased_until"),
                row.getInteger("attempts"),
                row.getBoolean("status"),
                uuids(row, "aggregates"),
                uuids(row, "compute_nodes"),
                row.getBoolean("in_doubt"));
    }

    private static Set<UUID> uuids(Row row, String column) {
        return new TreeSet<>(Arrays.asList(row.getArrayOfUUIDs(column)));
    }
}
