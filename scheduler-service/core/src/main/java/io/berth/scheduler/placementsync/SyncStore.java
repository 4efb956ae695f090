package io.berth.scheduler.placementsync;

import io.berth.scheduler.host.registry.edit.PlacementCopy;
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
 * The table {@code sync_outbox}: hosts whose registered changes placement does not have yet. Triggers insert and update
 * its rows in the transactions that change the registry. A replica that writes the changes of a host to placement
 * leases the row for some time instead of locking it, so that those transactions never wait for placement.
 */
@Singleton
class SyncStore {
    /**
     * Leases the host that has been due for the longest time. Params: 1 seconds of the lease. Returns the columns of
     * {@link PendingHost}; {@code in_doubt}, its {@code isIndeterminate}, is returned as it was before. In the table,
     * it is then true until the attempt ends, for the case that the replica dies. Zero rows: no host is due, or other
     * replicas are just leasing the hosts that are due.
     */
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
     * Makes the hosts of disabled services due, and those of the named hosts that have a service, except hosts that are
     * pending already. Params: 1 names of the hosts whose provider has the trait for disabled hosts. Inserts rows in
     * the order of the names, so that two replicas cannot deadlock. Returns a row without meaning for each host that
     * became due.
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
     * Removes a host that placement has as registered. Params: 1 host, 2 revision, 3 end of the lease. Zero rows: the
     * registry changed for the host since the lease began, or another replica has the lease.
     */
    static final String REMOVE =
            "DELETE FROM sync_outbox WHERE host = $1 AND revision = $2 AND leased_until = $3";

    /**
     * Ends the lease after a successful attempt during which the registry changed, so that the host is due again.
     * Params: 1 host, 2 end of the lease. Zero rows: another replica has the lease.
     */
    static final String RELEASE =
            "UPDATE sync_outbox SET leased_until = NULL, in_doubt = false WHERE host = $1 AND leased_until = $2";

    /**
     * Ends the lease after a failed attempt. Params: 1 host, 2 revision, 3 end of the lease, 4 seconds until the host
     * is due again (at once if the registry changed since the lease began), 5 error, 6 whether a write may still
     * commit. Zero rows: another replica has the lease.
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
     * Counts pending hosts without a result. Params: 1 hosts, 2 aggregates. Returns one row: {@code untried}, the
     * number of these hosts, and of hosts with a pending membership in these aggregates, that had no attempt since the
     * registry changed, or whose attempt is in progress.
     */
    static final String UNTRIED = """
            SELECT count(*) AS untried
              FROM sync_outbox
             WHERE (host = ANY ($1) OR aggregates && $2) AND (attempts = 0 OR leased_until > now())
            """;

    /**
     * Params: 1 hosts, or null for all hosts; 2 aggregates. Returns one row about these hosts and those with a pending
     * membership in these aggregates: {@code pending} (number of hosts), {@code oldest_since} (time since which the
     * oldest host is pending), {@code oldest_seconds} (its age), {@code last_error} (the latest; null if no attempt
     * failed). All but {@code pending} are null if no host is pending.
     */
    static final String SUMMARY = """
            SELECT count(*) AS pending,
                   min(since) AS oldest_since,
                   extract(epoch FROM now() - min(since))::float8 AS oldest_seconds,
                   (array_agg(last_error ORDER BY last_error_at DESC)
                       FILTER (WHERE last_error IS NOT NULL))[1] AS last_error
              FROM sync_outbox
             WHERE $1::text[] IS NULL OR host = ANY ($1) OR aggregates && $2::uuid[]
            """;

    /** No params. Returns one row: {@code pending} (number of hosts), {@code oldest_seconds} (0 if none is pending). */
    static final String COUNT = """
            SELECT count(*) AS pending, coalesce(extract(epoch FROM now() - min(since)), 0)::float8 AS oldest_seconds
              FROM sync_outbox
            """;

    /**
     * Params: 1 and 2 as for {@link #SUMMARY}, 3 maximum rows. Returns the columns of {@link SyncState.Host}, the host
     * that has been pending for the longest time first.
     */
    static final String LIST = """
            SELECT host, status, aggregates, compute_nodes, since, next_at, attempts, last_error, last_error_at
              FROM sync_outbox
             WHERE $1::text[] IS NULL OR host = ANY ($1) OR aggregates && $2::uuid[]
             ORDER BY since, host
             LIMIT $3
            """;

    /** Maximum characters of a stored error; a longer one is cut. */
    private static final int ERROR_LENGTH_MAX = 1_000;

    private final Pool pool;

    SyncStore(Pool pool) {
        this.pool = pool;
    }

    /** The number of pending hosts, and the age of the oldest in seconds; both NaN if unknown. */
    record Backlog(double count, double oldestSeconds) {
        static final Backlog UNKNOWN = new Backlog(Double.NaN, Double.NaN);
    }

    Uni<Backlog> count() {
        return pool.query(COUNT).execute().map(rows -> {
            Row all = rows.iterator().next();
            return new Backlog(all.getLong("pending"), all.getDouble("oldest_seconds"));
        });
    }

    /** Leases a host that is due; null if no host is due, or other replicas are just leasing the hosts that are due. */
    Uni<PendingHost> lease(double seconds) {
        return pool.preparedQuery(LEASE)
                .execute(Tuple.of(seconds))
                .map(rows -> rows.size() == 0 ? null : pending(rows.iterator().next()));
    }

    /**
     * Makes disabled hosts and marked hosts due, so that their traits are compared although the registry did not
     * change, see {@link #COMPARE_DISABLED}.
     *
     * @param marked hosts whose provider has the trait for disabled hosts
     */
    Uni<Void> compareDisabled(Collection<String> marked) {
        return pool.preparedQuery(COMPARE_DISABLED)
                .execute(Tuple.of((Object) marked.toArray(String[]::new)))
                .replaceWithVoid();
    }

    /** Removes the host after a successful attempt. If the registry changed during the attempt, the host stays due. */
    Uni<Void> finish(PendingHost host) {
        return pool.preparedQuery(REMOVE)
                .execute(Tuple.of(host.host(), host.revision(), host.leasedUntil()))
                .chain(rows -> rows.rowCount() == 1
                        ? Uni.createFrom().voidItem()
                        : pool.preparedQuery(RELEASE)
                                .execute(Tuple.of(host.host(), host.leasedUntil()))
                                .replaceWithVoid());
    }

    /**
     * Ends the lease after a failed attempt.
     *
     * @param seconds pause before the next attempt
     * @param why the error, for operators
     * @param inDoubt whether a write may have had no response, so that it may still commit
     */
    Uni<Void> postpone(PendingHost host, double seconds, String why, boolean inDoubt) {
        String error = why.length() > ERROR_LENGTH_MAX ? why.substring(0, ERROR_LENGTH_MAX) : why;
        return pool.preparedQuery(POSTPONE)
                .execute(Tuple.of(host.host(), host.revision(), host.leasedUntil(), seconds, error, inDoubt))
                .replaceWithVoid();
    }

    /**
     * Returns the number of pending hosts in the scope that had no attempt since their last change, or whose attempt is
     * in progress. Hosts with a failed attempt are not counted, because their next attempt may be much later.
     */
    Uni<Long> untried(PlacementCopy.Scope scope) {
        return pool.preparedQuery(UNTRIED)
                .execute(Tuple.of(hosts(scope), aggregates(scope)))
                .map(rows -> rows.iterator().next().getLong("untried"));
    }

    /**
     * Returns the pending hosts, the one that has been pending for the longest time first.
     *
     * @param scope null for all hosts
     * @param hostsMax maximum hosts in the list
     */
    Uni<SyncState> state(@Nullable PlacementCopy.Scope scope, int hostsMax) {
        String[] hosts = scope == null ? null : hosts(scope);
        UUID[] aggregates = scope == null ? null : aggregates(scope);
        return pool.preparedQuery(SUMMARY).execute(Tuple.of(hosts, aggregates)).chain(summary -> pool
                .preparedQuery(LIST)
                .execute(Tuple.of(hosts, aggregates, hostsMax))
                .map(rows -> {
                    List<SyncState.Host> pending = new ArrayList<>();
                    rows.forEach(row -> pending.add(host(row)));
                    Row all = summary.iterator().next();
                    return new SyncState(
                            all.getLong("pending"),
                            all.getOffsetDateTime("oldest_since"),
                            all.getDouble("oldest_seconds"),
                            all.getString("last_error"),
                            pending);
                }));
    }

    private static String[] hosts(PlacementCopy.Scope scope) {
        return scope.hosts().toArray(String[]::new);
    }

    private static UUID[] aggregates(PlacementCopy.Scope scope) {
        return scope.aggregates().toArray(UUID[]::new);
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
