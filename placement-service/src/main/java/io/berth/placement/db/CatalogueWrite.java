package io.berth.placement.db;

import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * One catalogue transaction in progress. Order of locks: the tree lock ({@link #lockTrees} or {@link #shareTrees}),
 * then providers by id ({@link #lock}); data that a decision depends on is read after the locks, in later statements.
 */
public final class CatalogueWrite {
    private static final String IDS = "CAST(string_to_array(:ids, ',') AS bigint[])";

    /**
     * Param: ids, comma-separated. {@link ProviderLocks#LOCK} in Hibernate's notation; a row per provider that exists.
     */
    private static final String LOCK = "WITH locked AS ("
            + ProviderLocks.LOCK_TEMPLATE.formatted(IDS)
            + ") SELECT id, generation FROM locked";

    /** Params: kind; ids, comma-separated. Hibernate's notation of {@link FleetChanges#RECORD}. */
    private static final String RECORD = FleetChanges.RECORD_TEMPLATE.formatted("CAST(:kind AS smallint)", IDS);

    /** Param: id. Exactly one row, as the caller holds its lock. */
    private static final String BUMP_GENERATION = """
            UPDATE resource_providers
               SET generation = generation + 1, updated_at = now()
             WHERE id = :id
            """;

    /**
     * The advisory lock of the structure of all trees, released with the transaction. Its number is arbitrary and used
     * for nothing else.
     */
    public static final String LOCK_TREES = "SELECT CAST(pg_advisory_xact_lock(774411) AS text)";

    /** The same lock as {@link #LOCK_TREES}, shared by several holders. */
    private static final String SHARE_TREES = "SELECT CAST(pg_advisory_xact_lock_shared(774411) AS text)";

    private final Mutiny.StatelessSession session;

    CatalogueWrite(Mutiny.StatelessSession session) {
        this.session = session;
    }

    /**
     * Returns the session for queries, inserts and updates. Rows are deleted by statements, not with {@code delete} and
     * {@code deleteAll}: these keep their outcome in state that all sessions share, so that one of two concurrent
     * deletes may wait forever or get the other's failure (hibernate-reactive issue 1713, open). {@code
     * SessionDeletesTest} checks this.
     */
    public Mutiny.StatelessSession session() {
        return session;
    }

    /**
     * Changes or deletes rows of a provider whose lock is held.
     *
     * @param sql params: {@code :provider}; {@code :keys}, comma-separated
     * @param keys of the rows; if there are none, no statement is sent
     */
    public Uni<Void> changeOf(long providerId, String sql, Collection<?> keys) {
        return keys.isEmpty()
                ? Uni.createFrom().voidItem()
                : run(sql, providerId, keys).replaceWithVoid();
    }

    /**
     * Replaces the keys of a locked provider.
     *
     * @param wanted the keys that the provider is to have; missing ones are added in this order
     * @return how many rows were removed and added
     */
    public Uni<Integer> replace(long providerId, KeyTable table, Collection<?> wanted) {
        return run(table.drop(), providerId, wanted)
                .chain(dropped -> run(table.add(), providerId, wanted).map(added -> dropped + added));
    }

    private Uni<Integer> run(String sql, long providerId, Collection<?> keys) {
        return session.createNativeQuery(sql)
                .setParameter("provider", providerId)
                .setParameter("keys", text(keys))
                .executeUpdate();
    }

    /**
     * Returns the rows of a provider.
     *
     * @param query name of a query with the parameter {@code :provider}
     */
    public <T> Uni<List<T>> listOf(long providerId, String query, Class<T> entity) {
        return session.createNamedQuery(query, entity).setParameter("provider", providerId).getResultList();
    }

    /** Locks the provider and returns it; null if it is gone. */
    public Uni<LockedProvider> lock(long providerId) {
        return lock(List.of(providerId)).map(locked -> locked.isEmpty() ? null : locked.getFirst());
    }

    /** Runs {@code work} with the locked provider; returns {@code gone} if it does not exist. */
    public <T> Uni<T> locked(long providerId, T gone, Function<LockedProvider, Uni<T>> work) {
        return lock(providerId)
                .chain(provider -> provider == null ? Uni.createFrom().item(gone) : work.apply(provider));
    }

    /** Locks the providers and returns those that exist. */
    public Uni<List<LockedProvider>> lock(Collection<Long> providerIds) {
        return session.createNativeQuery(LOCK, Object[].class)
                .setParameter("ids", text(providerIds))
                .getResultList()
                .map(rows -> rows.stream().map(row -> new LockedProvider((Long) row[0], (Integer) row[1])).toList());
    }

    /** Keeps other transactions from changing a parent or adding a child until this one ends. */
    public Uni<Void> lockTrees() {
        return session.createNativeQuery(LOCK_TREES, String.class).getSingleResult().replaceWithVoid();
    }

    /** Keeps other transactions from changing a parent until this one ends; they may add children. */
    public Uni<Void> shareTrees() {
        return session.createNativeQuery(SHARE_TREES, String.class).getSingleResult().replaceWithVoid();
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

    public Uni<Void> recordProvider(long providerId) {
        return record(FleetChanges.PROVIDER, List.of(providerId));
    }

    /** Publishes the change to every replica, see {@link FleetChanges}. */
    public Uni<Void> record(short kind, Collection<Long> ids) {
        return session.createNativeQuery(RECORD)
                .setParameter("kind", kind)
                .setParameter("ids", text(ids))
                .executeUpdate()
                .replaceWithVoid();
    }

    /** Joins ids or uuids with commas, the form that statements here and in the stores take. */
    public static String text(Collection<?> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
