package io.berth.scheduler.host.registry.edit;

import io.berth.database.Deadlocks;
import io.berth.scheduler.host.registry.RecordCollection;
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

/** Reads and writes registered records with Hibernate Reactive, whose version check detects lost updates. */
@Singleton
class RegistryStore {
    /** A version that no record has, because versions begin with 0; stands for an empty list of versions in HQL. */
    private static final long NO_VERSION = -1;
    /**
     * Maximum characters of all bodies in a page; the page ends before the record that would exceed it, but has at
     * least one record. Without this limit, a page of a thousand records had up to 28 MB, and 24 concurrent pages
     * exhausted the heap.
     */
    static final long PAGE_CHARACTERS = 1_000_000;
    /** Maximum retries after a refusal, for a write that may replace any version. */
    private static final int RETRIES_MAX = 3;

    private final Mutiny.SessionFactory sessions;

    RegistryStore(Mutiny.SessionFactory sessions) {
        this.sessions = sessions;
    }

    /** Returns a record, a server group with its members; null if the record does not exist. */
    Uni<StoredRecord> find(RecordCollection collection, UUID uuid) {
        return runToCompletion(sessions.withSession(session -> session.find(RegistryRow.type(collection), uuid)
                .chain(row -> row == null
                        ? Uni.createFrom().nullItem()
                        : withMembers(collection, session, List.of(stored(row))).map(List::getFirst))));
    }

    /** @param hasMore whether another page follows */
    record Listed(List<StoredRecord> records, boolean hasMore) {}

    /**
     * Returns one page. Fails with ApiFault (400) if the marker's record does not exist and the sort key is not
     * {@code uuid}, so that the position of the page is unknown.
     */
    Uni<Listed> list(RecordCollection collection, Page page) {
        return runToCompletion(sessions.withSession(session -> findMarkerValue(session, collection, page)
                .chain(markerValue -> sizes(session, collection, page, markerValue))
                .chain(sizes -> {
                    List<UUID> uuids = selectFitting(sizes, page.limit());
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

    /**
     * Returns the uuids of the records that fit on a page, at least one.
     *
     * @param sizes for each record, in the order of the list, an array of its uuid (UUID) and the characters of its
     *     body (Number)
     */
    private static List<UUID> selectFitting(List<Object[]> sizes, int limit) {
        List<UUID> fitting = new ArrayList<>();
        long characters = 0;
        for (Object[] uuidAndSize : sizes.subList(0, Math.min(limit, sizes.size()))) {
            characters += ((Number) uuidAndSize[1]).longValue();
            if (characters > PAGE_CHARACTERS && !fitting.isEmpty()) {
                break;
            }
            fitting.add((UUID) uuidAndSize[0]);
        }
        return fitting;
    }

    /**
     * Returns the sort key's value in the marker's record; null if there is no marker, or if records are sorted by uuid
     * only.
     */
    private static Uni<String> findMarkerValue(Mutiny.Session session, RecordCollection collection, Page page) {
        return page.marker() == null || page.sortKey().equals("uuid")
                ? Uni.createFrom().nullItem()
                : session
                        .createSelectionQuery(
                                "select r." + page.sortKey() + " from " + collection.route()
                                        + " r where r.uuid = :marker",
                                String.class)
                        .setParameter("marker", page.marker())
                        .getSingleResultOrNull()
                        .onItem().ifNull().failWith(() -> ApiFault.invalid(
                                "marker: no record " + page.marker() + " in " + collection.route()));
    }

    /** Adds the lists of members to server groups; returns other records unchanged. */
    private static Uni<List<StoredRecord>> withMembers(
            RecordCollection collection, Mutiny.Session session, List<StoredRecord> records) {
        return collection == RecordCollection.SERVER_GROUPS && !records.isEmpty()
                ? ServerGroupMembers.addedTo(records, session)
                : Uni.createFrom().item(records);
    }

    /**
     * Returns the arrays of {@link #selectFitting} for the records of a page and one more record, which shows whether
     * another page follows. The HQL contains member names from {@link RegistryRow#members} only, and no text of
     * a client.
     *
     * @param markerValue the result of {@link #findMarkerValue}
     */
    private static Uni<List<Object[]>> sizes(
            Mutiny.Session session, RecordCollection collection, Page page, @Nullable String markerValue) {
        String comparison = page.isDescending() ? "<" : ">";
        String direction = page.isDescending() ? " desc" : " asc";
        String key = "r." + page.sortKey();
        List<String> conditions = new ArrayList<>();
        page.equal().keySet().forEach(member -> conditions.add("r." + member + " = :" + member));
        if (markerValue != null) {
            // PostgreSQL can start its index scan at the marker with this redundant condition, but not with the "or".
            conditions.add(key + " " + comparison + "= :marked");
            conditions.add("(" + key + " " + comparison + " :marked or r.uuid " + comparison + " :marker)");
        } else if (page.marker() != null) {
            conditions.add("r.uuid " + comparison + " :marker");
        }
        Mutiny.SelectionQuery<Object[]> query = session.createSelectionQuery(
                "select r.uuid, length(r.body)"
                        + (collection == RecordCollection.SERVER_GROUPS ? ServerGroupMembers.AND_LENGTH : "")
                        + " from " + collection.route() + " r"
                        + (conditions.isEmpty() ? "" : " where " + String.join(" and ", conditions))
                        + " order by " + (page.sortKey().equals("uuid") ? "" : key + direction + ", ") + "r.uuid"
                        + direction,
                Object[].class);
        page.equal().forEach(query::setParameter);
        if (page.marker() != null) {
            query.setParameter("marker", page.marker());
        }
        if (markerValue != null) {
            query.setParameter("marked", markerValue);
        }
        return query.setMaxResults(page.limit() + 1).getResultList();
    }

    /**
     * Creates or replaces a record. A write that may replace any version is retried up to {@value #RETRIES_MAX} times
     * after a refusal.
     *
     * @param expectedVersion the version that the client read; null to replace any version
     * @param ifMatch condition on the stored record; null for none
     */
    Uni<WriteResult> put(
            RecordCollection collection, UUID uuid, String body, @Nullable Long expectedVersion,
            @Nullable IfMatch ifMatch) {
        Uni<WriteResult> write = edit(session -> session.find(RegistryRow.type(collection), uuid)
                .chain(row -> {
                    if (ifMatch != null && !ifMatch.admits(row == null ? null : row.version)) {
                        return Uni.createFrom().item(new WriteResult.NotMatched());
                    }
                    return row == null
                            ? create(session, collection, uuid, body, expectedVersion)
                            : replace(collection, session, row, body, expectedVersion);
                }));
        boolean replacesAnyVersion = expectedVersion == null && ifMatch == null;
        return write
                // Retries every refusal: it may come from a concurrent write, whose version this write may replace.
                // A name that another record has is refused again.
                .onFailure(failure -> replacesAnyVersion && refusal(failure) != null)
                .retry().atMost(RETRIES_MAX)
                .onFailure().recoverWithUni(RegistryStore::refusalOrFailure);
    }

    /**
     * Creates or replaces all records, or none: fails with ApiFault (409) if any record conflicts with a stored one, or
     * with a concurrent write.
     */
    Uni<List<WriteResult.Written>> putAll(RecordCollection collection, List<RecordWrite> records) {
        // All transactions lock records in the order of their uuids, which avoids deadlocks.
        List<RecordWrite> inOrder = records.stream().sorted(Comparator.comparing(RecordWrite::uuid)).toList();
        return edit(session -> putAll(session, collection, RegistryRow.type(collection), inOrder))
                .onFailure().transform(failure -> switch (refusal(failure)) {
                    case WriteResult.Taken taken -> taken.fault();
                    case WriteResult.VersionConflict _ -> new ApiFault(
                            ErrorCode.CONCURRENT_UPDATE,
                            "another request wrote one of the records meanwhile; send this one again");
                    case null, default -> failure;
                });
    }

    private static <T extends RegistryRow> Uni<List<WriteResult.Written>> putAll(
            Mutiny.Session session, RecordCollection collection, Class<T> rowType, List<RecordWrite> records) {
        return session.find(rowType, records.stream().map(RecordWrite::uuid).toArray()).chain(found -> {
            List<RegistryRow> rows = new ArrayList<>();
            List<String> bodiesBefore = new ArrayList<>();
            List<RegistryRow> created = new ArrayList<>();
            for (int i = 0; i < records.size(); i++) {
                RecordWrite record = records.get(i);
                RegistryRow row = found.get(i);
                if (record.version() != null && (row == null || record.version() != row.version)) {
                    throw new ApiFault(
                            ErrorCode.CONCURRENT_UPDATE,
                            "the stored version of " + record.uuid() + " is another one; read the record again");
                }
                if (row == null) {
                    row = RegistryRow.of(collection);
                    row.uuid = record.uuid();
                    created.add(row);
                }
                bodiesBefore.add(row.body);
                row.body = withoutMembers(collection, record.body());
                rows.add(row);
            }
            return session.persistAll(created.toArray())
                    .call(session::flush)
                    .call(() -> Multi.createFrom().iterable(records)
                            .onItem().transformToUniAndConcatenate(
                                    record -> setMembers(collection, session, record.uuid(), record.body()))
                            .onItem().ignoreAsUni())
                    .replaceWith(() -> IntStream.range(0, rows.size())
                            .mapToObj(i -> new WriteResult.Written(stored(rows.get(i)), bodiesBefore.get(i)))
                            .toList());
        });
    }

    /** Creates a record that must not exist yet. */
    Uni<WriteResult> create(RecordCollection collection, UUID uuid, String body) {
        return edit(session -> create(session, collection, uuid, body, null))
                .onFailure().recoverWithUni(RegistryStore::refusalOrFailure);
    }

    private static Uni<WriteResult> create(
            Mutiny.Session session, RecordCollection collection, UUID uuid, String body,
            @Nullable Long expectedVersion) {
        // The client expects a version of a record that does not exist.
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

    /** Returns the body of a server group with its list of members emptied; other bodies unchanged. */
    static String withoutMembers(RecordCollection collection, String body) {
        return collection == RecordCollection.SERVER_GROUPS ? ServerGroupMembers.without(body) : body;
    }

    private static Uni<Void> setMembers(RecordCollection collection, Mutiny.Session session, UUID uuid, String body) {
        return collection == RecordCollection.SERVER_GROUPS
                ? ServerGroupMembers.set(uuid, body, session)
                : Uni.createFrom().voidItem();
    }

    private static Uni<WriteResult> replace(
            RecordCollection collection, Mutiny.Session session, RegistryRow row, String body,
            @Nullable Long expectedVersion) {
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
        /** @param before the deleted body; that of a server group lacks the list of its member instances */
        record Deleted(String before) implements Deletion {}

        record Absent() implements Deletion {}

        record NotMatched() implements Deletion {}
    }

    /**
     * Deletes a record with an HQL statement instead of {@code session.remove}, because concurrent calls of
     * {@code session.remove} for one entity interfere in Hibernate Reactive 3.2, and some never complete
     * (github.com/hibernate/hibernate-reactive/issues/1713).
     *
     * @param ifMatch condition on the stored record; null for none
     */
    Uni<Deletion> delete(RecordCollection collection, UUID uuid, @Nullable IfMatch ifMatch) {
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

    /**
     * Runs one transaction, and repeats it a few times after a deadlock ({@link Deadlocks}). Deadlocks are possible
     * although requests lock rows in the order of their uuids, because triggers lock further rows.
     */
    private <T> Uni<T> edit(Function<Mutiny.Session, Uni<T>> work) {
        return runToCompletion(Deadlocks.repeated(sessions.withTransaction(work)));
    }

    /** Completes the work even if the subscriber cancels, because Hibernate fails in a cancelled transaction. */
    private static <T> Uni<T> runToCompletion(Uni<T> work) {
        return Uni.createFrom().emitter(client -> work.subscribe().with(client::complete, client::fail));
    }

    private static Uni<WriteResult> refusalOrFailure(Throwable failure) {
        WriteResult refusal = refusal(failure);
        return refusal == null ? Uni.createFrom().failure(failure) : Uni.createFrom().item(refusal);
    }

    /** Returns the result that a violated constraint or a version conflict means; null for other failures. */
    private static @Nullable WriteResult refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConstraintViolationException violation) {
                return new WriteResult.Taken(violation.getConstraintName());
            }
            if (cause instanceof OptimisticLockException || cause instanceof org.hibernate.StaleStateException) {
                return new WriteResult.VersionConflict();
            }
        }
        return null;
    }

    private static StoredRecord stored(RegistryRow row) {
        return new StoredRecord(row.uuid, row.version, row.body);
    }
}
