package io.berth.scheduler.host.registry.edit;

import io.berth.scheduler.host.registry.Collection;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import jakarta.persistence.OptimisticLockException;
import java.util.List;
import java.util.UUID;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.reactive.mutiny.Mutiny;

/** Editing of the registry, one record at a time, with Hibernate's version check against lost updates. */
@Singleton
class RegistryStore {
    private final Mutiny.SessionFactory sessions;

    RegistryStore(Mutiny.SessionFactory sessions) {
        this.sessions = sessions;
    }

    /** Null when there is none. */
    Uni<StoredRecord> find(Collection collection, UUID uuid) {
        return toItsEnd(sessions.withSession(session -> session.find(RegistryRow.type(collection), uuid)
                .chain(row -> row == null
                        ? Uni.createFrom().nullItem()
                        : withMembers(collection, session, List.of(stored(row))).map(List::getFirst))));
    }

    /** Ordered by uuid, those behind the marker; at most {@code limit}. */
    Uni<List<StoredRecord>> list(Collection collection, UUID marker, int limit) {
        return toItsEnd(sessions.withSession(session -> page(session, collection, RegistryRow.type(collection), marker, limit)
                .chain(page -> withMembers(collection, session, page))));
    }

    private static Uni<List<StoredRecord>> withMembers(
            Collection collection, Mutiny.Session session, List<StoredRecord> records) {
        return collection == Collection.SERVER_GROUPS && !records.isEmpty()
                ? ServerGroupMembers.addedTo(records, session)
                : Uni.createFrom().item(records);
    }

    private static <T extends RegistryRow> Uni<List<StoredRecord>> page(
            Mutiny.Session session, Collection collection, Class<T> rowType, UUID marker, int limit) {
        String from = "from " + collection.route() + " r";
        Mutiny.SelectionQuery<T> query = marker == null
                ? session.createSelectionQuery(from + " order by r.uuid", rowType)
                : session.createSelectionQuery(from + " where r.uuid > :marker order by r.uuid", rowType)
                        .setParameter("marker", marker);
        return query.setMaxResults(limit)
                .getResultList()
                .map(rows -> rows.stream().map(RegistryStore::stored).toList());
    }

    /**
     * Creates or replaces.
     *
     * @param expectedVersion the version the caller read; null to replace whatever is there
     */
    Uni<WriteResult> put(Collection collection, UUID uuid, String body, Long expectedVersion) {
        return toItsEnd(sessions.withTransaction(session -> session.find(RegistryRow.type(collection), uuid)
                        .chain(row -> row == null
                                ? create(session, collection, uuid, body, expectedVersion)
                                : replace(collection, session, row, body, expectedVersion))))
                .onFailure().recoverWithUni(RegistryStore::refused);
    }

    /** A record that must not exist yet. */
    Uni<WriteResult> create(Collection collection, UUID uuid, String body) {
        return toItsEnd(sessions.withTransaction(session -> create(session, collection, uuid, body, null)))
                .onFailure().recoverWithUni(RegistryStore::refused);
    }

    private static Uni<WriteResult> create(
            Mutiny.Session session, Collection collection, UUID uuid, String body, Long expectedVersion) {
        if (expectedVersion != null) {
            return Uni.createFrom().item(new WriteResult.VersionConflict());
        }
        RegistryRow row = RegistryRow.of(collection);
        row.uuid = uuid;
        row.body = withoutMembers(collection, body);
        return session.persist(row)
                .call(session::flush)
                .call(() -> setMembers(collection, session, uuid, body))
                .map(done -> new WriteResult.Written(new StoredRecord(uuid, row.version, body), true));
    }

    private static String withoutMembers(Collection collection, String body) {
        return collection == Collection.SERVER_GROUPS ? ServerGroupMembers.without(body) : body;
    }

    private static Uni<Void> setMembers(Collection collection, Mutiny.Session session, UUID uuid, String body) {
        return collection == Collection.SERVER_GROUPS
                ? ServerGroupMembers.set(uuid, body, session)
                : Uni.createFrom().voidItem();
    }

    private static Uni<WriteResult> replace(
            Collection collection, Mutiny.Session session, RegistryRow row, String body, Long expectedVersion) {
        if (expectedVersion != null && expectedVersion != row.version) {
            return Uni.createFrom().item(new WriteResult.VersionConflict());
        }
        row.body = withoutMembers(collection, body);
        return session.flush()
                .call(() -> setMembers(collection, session, row.uuid, body))
                .map(done -> new WriteResult.Written(new StoredRecord(row.uuid, row.version, body), false));
    }

    /**
     * True when there was one. A statement of its own: Hibernate Reactive 3.2 mixes up concurrent
     * {@code session.remove} of the same type (github.com/hibernate/hibernate-reactive/issues/1713); some never end.
     */
    Uni<Boolean> delete(Collection collection, UUID uuid) {
        String statement = "delete from " + collection.route() + " where uuid = :uuid";
        return toItsEnd(sessions.withTransaction(session -> session.createMutationQuery(statement)
                .setParameter("uuid", uuid)
                .executeUpdate()
                .map(deleted -> deleted > 0)));
    }

    /** Whatever its client does: Hibernate cannot leave off in the middle without a fault. */
    private static <T> Uni<T> toItsEnd(Uni<T> work) {
        return Uni.createFrom().emitter(client -> work.subscribe().with(client::complete, client::fail));
    }

    private static Uni<WriteResult> refused(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof ConstraintViolationException taken) {
                return Uni.createFrom().item(new WriteResult.Taken(taken.getConstraintName()));
            }
            if (t instanceof OptimisticLockException || t instanceof org.hibernate.StaleStateException) {
                return Uni.createFrom().item(new WriteResult.VersionConflict());
            }
        }
        return Uni.createFrom().failure(failure);
    }

    private static StoredRecord stored(RegistryRow row) {
        return new StoredRecord(row.uuid, row.version, row.body);
    }
}
