package io.berth.placement.db;

import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * A running catalogue transaction (see {@link CatalogueTransactions}), with the statements that several stores need.
 * Every transaction takes its locks in the same order: first the tree lock, if necessary ({@link #lockTrees} or {@link
 * #lockTreesShared}), and then the locks of providers ({@link #lock}). The transaction reads the data for its decision
 * in later statements, which see everything that was committed before the locks were granted.
 */
public final class CatalogueWrite {
    private static final String IDS = "CAST(string_to_array(:ids, ',') AS bigint[])";

    /**
     * {@link ProviderLocks#LOCK} in Hibernate's notation. Param: {@code :ids}, comma-separated. Returns a row with id
     * and generation for each provider that exists.
     */
    private static final String LOCK = "WITH locked AS ("
            + ProviderLocks.LOCK_TEMPLATE.formatted(IDS)
            + ") SELECT id, generation FROM locked";

    /** {@link FleetChanges#RECORD} in Hibernate's notation. Params: {@code :kind}; {@code :ids}, comma-separated. */
    private static final String RECORD = FleetChanges.RECORD_TEMPLATE.formatted("CAST(:kind AS smallint)", IDS);

    /** Param: {@code :id}. Updates one row, which the caller has locked. */
    private static final String BUMP_GENERATION = """
            UPDATE resource_providers
               SET generation = generation + 1, updated_at = now()
             WHERE id = :id
            """;

    /**
     * Takes the advisory lock on the structure of all trees, exclusively; waits for it. PostgreSQL releases the lock at
     * the end of the transaction. The number of the lock is arbitrary; no other lock has it.
     */
    public static final String LOCK_TREES = "SELECT CAST(pg_advisory_xact_lock(774411) AS text)";

    /** Takes the lock of {@link #LOCK_TREES} in shared mode; waits for it. */
    private static final String LOCK_TREES_SHARED = "SELECT CAST(pg_advisory_xact_lock_shared(774411) AS text)";

    private final Mutiny.StatelessSession session;

    CatalogueWrite(Mutiny.StatelessSession session) {
        this.session = session;
    }

    /**
     * Returns the session for queries, inserts and updates. Delete rows with statements, not with {@code delete} or
     * {@code deleteAll}: these methods store their outcome in a variable that all sessions share, so that one of two
     * deletes at the same time may never complete, or may fail with the exception of the other (hibernate-reactive
     * issue 1713, open). {@code SessionDeletesTest} checks that no code uses these methods.
     */
    public Mutiny.StatelessSession session() {
        return session;
    }

    /**
     * Runs a statement that changes or deletes rows of a locked provider.
     *
     * @param sql a statement with the params {@code :provider} and {@code :keys}, comma-separated
     * @param keys the keys of the rows; if empty, the statement is not run
     */
    public Uni<Void> changeRows(long providerId, String sql, Collection<?> keys) {
        return keys.isEmpty()
                ? Uni.createFrom().voidItem()
                : run(sql, providerId, keys).replaceWithVoid();
    }

    /**
     * Replaces the keys of a locked provider, such as its traits.
     *
     * @param keys the keys that the provider is to have; missing keys are inserted in this order
     * @return the number of rows that the statements of {@code table} changed; 0 if the provider had exactly these keys
     */
    public Uni<Integer> replace(long providerId, KeyTable table, Collection<?> keys) {
        return run(table.deleteSql(), providerId, keys)
                .chain(dropped -> run(table.insertSql(), providerId, keys).map(added -> dropped + added));
    }

    private Uni<Integer> run(String sql, long providerId, Collection<?> keys) {
        return session.createNativeQuery(sql)
                .setParameter("provider", providerId)
                .setParameter("keys", commaSeparated(keys))
                .executeUpdate();
    }

    /**
     * Returns the rows of a provider in the table of an entity.
     *
     * @param query name of a named query with the parameter {@code :provider}
     */
    public <T> Uni<List<T>> listOf(long providerId, String query, Class<T> entity) {
        return session.createNamedQuery(query, entity).setParameter("provider", providerId).getResultList();
    }

    /** Locks the provider and returns it; a null item if it does not exist. */
    public Uni<LockedProvider> lock(long providerId) {
        return lock(List.of(providerId)).map(locked -> locked.isEmpty() ? null : locked.getFirst());
    }

    /** Locks the provider and runs {@code work} with it; returns {@code ifGone} if the provider does not exist. */
    public <T> Uni<T> withLock(long providerId, T ifGone, Function<LockedProvider, Uni<T>> work) {
        return lock(providerId)
                .chain(provider -> provider == null ? Uni.createFrom().item(ifGone) : work.apply(provider));
    }

    /** Locks the providers, by ascending id, and returns those that exist. */
    public Uni<List<LockedProvider>> lock(Collection<Long> providerIds) {
        return session.createNativeQuery(LOCK, Object[].class)
                .setParameter("ids", commaSeparated(providerIds))
                .getResultList()
                .map(rows -> rows.stream().map(row -> new LockedProvider((Long) row[0], (Integer) row[1])).toList());
    }

    /** Prevents other transactions from changing a parent or adding a child until this transaction ends. */
    public Uni<Void> lockTrees() {
        return session.createNativeQuery(LOCK_TREES, String.class).getSingleResult().replaceWithVoid();
    }

    /** Prevents other transactions from changing a parent until this transaction ends; they may add children. */
    public Uni<Void> lockTreesShared() {
        return session.createNativeQuery(LOCK_TREES_SHARED, String.class).getSingleResult().replaceWithVoid();
    }

    /**
     * Raises the generation of a locked provider by one, records the change for the replicas, and returns the new
     * generation.
     */
    public Uni<Integer> bumpGeneration(LockedProvider provider) {
        return session.createNativeQuery(BUMP_GENERATION)
                .setParameter("id", provider.id())
                .executeUpdate()
                .chain(() -> recordProvider(provider.id()))
                .replaceWith(provider.generation() + 1);
    }

    /** Publishes a change of the provider to every replica, see {@link FleetChanges}. */
    public Uni<Void> recordProvider(long providerId) {
        return record(FleetChanges.PROVIDER, List.of(providerId));
    }

    /**
     * Publishes changes to every replica.
     *
     * @param kind the kind of the changed objects, a constant of {@link FleetChanges}
     * @param ids the ids of the changed objects, see {@link FleetChanges#RECORD}
     */
    public Uni<Void> record(short kind, Collection<Long> ids) {
        return session.createNativeQuery(RECORD)
                .setParameter("kind", kind)
                .setParameter("ids", commaSeparated(ids))
                .executeUpdate()
                .replaceWithVoid();
    }

    /** Joins ids or uuids with commas, as the parameters {@code :ids} and {@code :keys} need them. */
    public static String commaSeparated(Collection<?> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
