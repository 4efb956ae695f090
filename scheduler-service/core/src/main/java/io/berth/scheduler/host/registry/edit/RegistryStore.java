package io.berth.scheduler.host.registry.edit;

import io.berth.database.Deadlocks;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import jakarta.persistence.OptimisticLockException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.hibernate.exception.ConstraintViolationException;
import org.hibernate.reactive.mutiny.Mutiny;

/** Edits the registry with Hibernate's version check against lost updates. */
@Singleton
class RegistryStore {
    /** A version that no record has: stored versions begin with 0. */
    private static final long NO_VERSION = -1;
    /**
     * Maximum characters of all bodies in a page, unless its first body alone is longer. A thousand records may have 28
     * MB, and 24 such pages at once exhausted the memory of the process.
     */
    static final long PAGE_CHARACTERS = 1_000_000;
    /** Maximum retries of a write that may replace any version, when another client wrote the record meanwhile. */
    private static final int RETRIES_MAX = 3;

    private final Mutiny.SessionFactory sessions;

    RegistryStore(Mutiny.SessionFactory sessions) {
        this.sessions = sessions;
    }

    /** Returns null if it does not exist. */
    Uni<StoredRecord> find(Collection collection, UUID uuid) {
        return toItsEnd(sessions.withSession(session -> session.find(RegistryRow.type(collection), uuid)
                .chain(row -> row == null
                        ? Uni.createFrom().nullItem()
                        : withMembers(collection, session, List.of(stored(row))).map(List::getFirst))));
    }

    /** @param hasMore whether more follow */
    record Listed(List<StoredRecord> records, boolean hasMore) {}

    /** Fails with ApiFault (400) if the marker's record is needed and does not exist. */
    Uni<Listed> list(Collection collection, Page page) {
        return toItsEnd(sessions.withSession(session -> markedBy(session, collection, page)
                .chain(marked -> sizes(session, collection, page, marked))
                .chain(sizes -> {
                    List<UUID> uuids = firstOf(sizes, page.limit());
                    return session.find(RegistryRow.type(collection), uuids.toArray())
                            .chain(rows -> withMembers(collection, session, rows.stream()
                                    // A record may have been deleted meanwhile.
                                    .filter(Objects::nonNull)
                                    .map(RegistryStore::stored)
                                    .toList()))
                            .map(records -> new Listed(records, uuids.size() < sizes.size()));
                })))
                // All records of the page may have been deleted meanwhile.
                .chain(listed -> listed.hasMore() && listed.records().isEmpty()
                        ? list(collection, page)
                        : Uni.createFrom().item(listed));
    }

    /** Returns as many records as fit on a page, at least one. */
    private static List<UUID> firstOf(List<Object[]> sizes, int limit) {
        List<UUID> first = new ArrayList<>();
        long characters = 0;
        for (Object[] record : sizes.subList(0, Math.min(limit, sizes.size()))) {
            characters += ((Number) record[1]).longValue();
            if (characters > PAGE_CHARACTERS && !first.isEmpty()) {
                break;
            }
            first.add((UUID) record[0]);
        }
        return first;
    }

    /** Returns the marker's value of the sort key; null if records are sorted by uuid only. */
    private static Uni<String> markedBy(Mutiny.Session session, Collection collection, Page page) {
        return page.marker() == null || page.sortKey().equals("uuid")
                ? Uni.createFrom().nullItem()
                : session
                        .createSelectionQuery(
                                "select r." + page.sortKey() + " from " + collection.route() + " r where r.uuid = :marker",
                                String.class)
                        .setParameter("marker", page.marker())
                        .getSingleResultOrNull()
                        .onItem().ifNull().failWith(() -> ApiFault.invalid(
                                "marker: no record " + page.marker() + " in " + collection.route()));
    }

    private static Uni<List<StoredRecord>> withMembers(
            Collection collection, Mutiny.Session session, List<StoredRecord> records) {
        return collection == Collection.SERVER_GROUPS && !records.isEmpty()
                ? ServerGroupMembers.addedTo(records, session)
                : Uni.createFrom().item(records);
    }

    /**
     * Returns the uuids of a page with the length of each body, and one record more, to see whether a page follows.
     * Member names are those of {@link RegistryRow#members}, never a client's text.
     */
    private static Uni<List<Object[]>> sizes(
            Mutiny.Session session, Collection collection, Page page, @Nullable String marked) {
        String behind = page.isDescending() ? "<" : ">";
        String direction = page.isDescending() ? " desc" : " asc";
        String key = "r." + page.sortKey();
        List<String> conditions = new ArrayList<>();
        page.equal().keySet().forEach(member -> conditions.add("r." + member + " = :" + member));
        if (marked != null) {
            // This condition comes before the "or", so that PostgreSQL can start the index scan at it.
            conditions.add(key + " " + behind + "= :marked");
            conditions.add("(" + key + " " + behind + " :marked or r.uuid " + behind + " :marker)");
        } else if (page.marker() != null) {
            conditions.add("r.uuid " + behind + " :marker");
        }
        Mutiny.SelectionQuery<Object[]> query = session.createSelectionQuery(
                "select r.uuid, length(r.body)"
                        + (collection == Collection.SERVER_GROUPS ? ServerGroupMembers.AND_LENGTH : "")
                        + " from " + collection.route() + " r"
                        + (conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions))
                        + " order by " + (page.sortKey().equals("uuid") ? "" : key + direction + ", ") + "r.uuid" + direction,
                Object[].class);
        page.equal().forEach(query::setParameter);
        if (page.marker() != null) {
            query.setParameter("marker", page.marker());
        }
        if (marked != null) {
            query.setParameter("marked", marked);
        }
        return query.setMaxResults(page.limit() + 1).getResultList();
    }

    /**
     * Creates or replaces a record.
     *
     * @param expectedVersion the version the caller read; null to replace any version
     * @param ifMatch condition on the stored record; null: none
     */
    Uni<WriteResult> put(
            Collection collection, UUID uuid, String body, @Nullable Long expectedVersion, @Nullable IfMatch ifMatch) {
        Uni<WriteResult> written = edit(session -> session.find(RegistryRow.type(collection), uuid)
                .chain(row -> {
                    if (ifMatch != null && !ifMatch.admits(row == null ? null : row.version)) {
                        return Uni.createFrom().item(new WriteResult.NotMatched());
                    }
                    return row == null
                            ? create(session, collection, uuid, body, expectedVersion)
                            : replace(collection, session, row, body, expectedVersion);
                }));
        boolean takesAnyVersion = expectedVersion == null && ifMatch == null;
        return written
                // Another client may have written the same record meanwhile: then it is replaced.
                .onFailure(failure -> takesAnyVersion && refusal(failure) != null)
                .retry().atMost(RETRIES_MAX)
                .onFailure().recoverWithUni(RegistryStore::refused);
    }

    /** Creates or replaces all records, or none: fails with ApiFault (409) if any conflicts. */
    Uni<List<WriteResult.Written>> putAll(Collection collection, List<WantedRecord> records) {
        // Sorts the records, so that two such transactions lock them in the same order.
        List<WantedRecord> inOrder = records.stream().sorted(Comparator.comparing(WantedRecord::uuid)).toList();
        return edit(session -> putAll(session, collection, RegistryRow.type(collection), inOrder))
                .onFailure().transform(failure -> switch (refusal(failure)) {
                    case WriteResult.Taken taken -> taken.fault();
                    case WriteResult.VersionConflict _ -> new ApiFault(
                            ErrorCode.CONCURRENT_UPDATE, "another request wrote one of the records meanwhile; send this one again");
                    case null, default -> failure;
                });
    }

    private static <T extends RegistryRow> Uni<List<WriteResult.Written>> putAll(
            Mutiny.Session session, Collection collection, Class<T> rowType, List<WantedRecord> records) {
        return session.find(rowType, records.stream().map(WantedRecord::uuid).toArray()).chain(found -> {
            List<RegistryRow> rows = new ArrayList<>();
            List<String> before = new ArrayList<>();
            List<RegistryRow> made = new ArrayList<>();
            for (int i = 0; i < records.size(); i++) {
                WantedRecord wanted = records.get(i);
                RegistryRow row = found.get(i);
                if (wanted.version() != null && (row == null || wanted.version() != row.version)) {
                    throw new ApiFault(
                            ErrorCode.CONCURRENT_UPDATE,
                            "the stored version of " + wanted.uuid() + " is another one; read the record again");
                }
                if (row == null) {
                    row = RegistryRow.of(collection);
                    row.uuid = wanted.uuid();
                    made.add(row);
                }
                before.add(row.body);
                row.body = withoutMembers(collection, wanted.body());
                rows.add(row);
            }
            return session.persistAll(made.toArray())
                    .call(session::flush)
                    .call(() -> Multi.createFrom().iterable(records)
                            .onItem().transformToUniAndConcatenate(
                                    wanted -> setMembers(collection, session, wanted.uuid(), wanted.body()))
                            .onItem().ignoreAsUni())
                    .replaceWith(() -> IntStream.range(0, rows.size())
                            .mapToObj(i -> new WriteResult.Written(stored(rows.get(i)), before.get(i)))
                            .toList());
        });
    }

    /** Creates a record that must not exist yet. */
    Uni<WriteResult> create(Collection collection, UUID uuid, String body) {
        return edit(session -> create(session, collection, uuid, body, null))
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
                .map(done -> new WriteResult.Written(new StoredRecord(uuid, row.version, body), null));
    }

    static String withoutMembers(Collection collection, String body) {
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
        String before = row.body;
        row.body = withoutMembers(collection, body);
        return session.flush()
                .call(() -> setMembers(collection, session, row.uuid, body))
                .map(done -> new WriteResult.Written(new StoredRecord(row.uuid, row.version, body), before));
    }

    /** The result of a deletion. */
    sealed interface Deletion {
        /** @param before the deleted body, without the members of a group */
        record Deleted(String before) implements Deletion {}

        record Absent() implements Deletion {}

        record NotMatched() implements Deletion {}
    }

    /**
     * Deletes with a statement instead of {@code session.remove}: Hibernate Reactive 3.2 mixes up concurrent
     * {@code session.remove} of the same type (github.com/hibernate/hibernate-reactive/issues/1713); some never end.
     *
     * @param ifMatch condition on the stored record; null: none
     */
    Uni<Deletion> delete(Collection collection, UUID uuid, @Nullable IfMatch ifMatch) {
        Set<Long> versions = ifMatch == null ? null : ifMatch.versions();
        String statement = "delete from " + collection.route() + " where uuid = :uuid"
                + (versions == null ? "" : " and version in (:versions)");
        return edit(session -> session.find(RegistryRow.type(collection), uuid).chain(row -> {
            if (row == null) {
                return Uni.createFrom().item(new Deletion.Absent());
            }
            Mutiny.MutationQuery deletion = session.createMutationQuery(statement).setParameter("uuid", uuid);
            if (versions != null) {
                deletion.setParameter("versions", versions.isEmpty() ? Set.of(NO_VERSION) : versions);
            }
            return deletion.executeUpdate().map(deleted -> deleted > 0
                    ? new Deletion.Deleted(row.body)
                    : versions == null ? new Deletion.Absent() : new Deletion.NotMatched());
        }));
    }

    /** Runs one transaction, and again after a deadlock: triggers lock rows that several records share. */
    private <T> Uni<T> edit(Function<Mutiny.Session, Uni<T>> work) {
        return toItsEnd(Deadlocks.repeated(sessions.withTransaction(work)));
    }

    /** Completes the work even if its client cancels, because Hibernate fails when it is cancelled midway. */
    private static <T> Uni<T> toItsEnd(Uni<T> work) {
        return Uni.createFrom().emitter(client -> work.subscribe().with(client::complete, client::fail));
    }

    private static Uni<WriteResult> refused(Throwable failure) {
        WriteResult refusal = refusal(failure);
        return refusal == null ? Uni.createFrom().failure(failure) : Uni.createFrom().item(refusal);
    }

    /** Returns the result for a violated constraint or a version conflict; null for any other failure. */
    private static @Nullable WriteResult refusal(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof ConstraintViolationException taken) {
                return new WriteResult.Taken(taken.getConstraintName());
            }
            if (t instanceof OptimisticLockException || t instanceof org.hibernate.StaleStateException) {
                return new WriteResult.VersionConflict();
            }
        }
        return null;
    }

    private static StoredRecord stored(RegistryRow row) {
        return new StoredRecord(row.uuid, row.version, row.body);
    }
}
