package io.berth.placement.db;

import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * One catalogue transaction in progress. Order of locks: the tree lock ({@link #lockTrees} or {@link #shareTrees}),
 * then providers by id ({@link #lock}); everything a decision needs is read after them, in later statements.
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

    /** An advisory lock of the shape of all trees; any number, used for nothing else. Ends with the transaction. */
    public static final String LOCK_TREES = "SELECT CAST(pg_advisory_xact_lock(774411) AS text)";

    /** The same lock as {@link #LOCK_TREES}, shared by several holders. */
    private static final String SHARE_TREES = "SELECT CAST(pg_advisory_xact_lock_shared(774411) AS text)";

    private final Mutiny.StatelessSession session;

    CatalogueWrite(Mutiny.StatelessSession session) {
        this.session = session;
    }

    /**
     * Returns the session for queries, inserts and updates. Rows are deleted by statements, not with {@code delete} and
     * {@code deleteAll}: those keep their outcome where other sessions keep theirs, so that of two concurrent ones one
     * may wait forever or get the other's refusal (hibernate-reactive issue 1713, open). {@code SessionDeletesTest}
     * checks this.
     */
    public Mutiny.StatelessSession session() {
        return session;
    }

    /**
     * Changes or deletes rows of a provider whose lock is held.
     *
     * @param sql params: {@code :provider}; {@code :keys}, comma-separated
     * @param keys of the rows; without any nothing is sent
     */
    public Uni<Void> changeOf(long providerId, String sql, Collection<?> keys) {
        return keys.isEmpty()
                ? Uni.createFrom().voidItem()
                : run(sql, providerId, keys).replaceWithVoid();
    }

    /**
     * Replaces the keys of a locked provider.
     *
     * @param wanted in the order in which they are added
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

    /** The rows of a provider. @param query named, of {@code :provider} */
    public <T> Uni<List<T>> listOf(long providerId, String query, Class<T> entity) {
        return session.createNamedQuery(query, entity).setParameter("provider", providerId).getResultList();
    }

    /** Returns null when the provider is gone. */
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

    /** Counts one change of a locked provider and records it for the replicas; the item is the new generation. */
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

    /** Ids or uuids as the statements here and in the stores take them; empty for none. */
    public static String text(Collection<?> ids) {
        return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
