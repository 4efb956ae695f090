package io.berth.scheduler.requestrecord;

import io.berth.scheduler.db.Batches;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes the records of requests that begin. Requests that begin while a statement is in flight share the next one,
 * and so its commit: the cost per record falls as load rises.
 */
@Singleton
class RecordStarts {
    /** Maximum requests whose records are written in one statement. */
    static final int REQUESTS_MAX = 128;

    private static final Duration WRITE_MAX = Duration.ofSeconds(10);

    /** A record of that key exists already, or one of the instances has an open move. */
    static final RequestRecordStore.Begun NOT_BEGUN = new RequestRecordStore.Begun(0, 0);

    private final Batches<RecordStart, RequestRecordStore.Begun> batches;

    RecordStarts(RequestRecordStore store) {
        batches = new Batches<>(REQUESTS_MAX, WRITE_MAX, RecordStarts::keys, together -> store
                .start(together, RequestLeases.LEASE.toSeconds())
                .map(begun -> start -> begun.getOrDefault(start.asked().key(), NOT_BEGUN)));
    }

    /** Returns the keys that must be unique within a statement: the record's key and its instances. */
    private static List<Object> keys(RecordStart start) {
        return Stream.<Object>concat(Stream.of(start.asked().key()), start.asked().instances().stream()).toList();
    }

    Uni<RequestRecordStore.Begun> write(RecordStart start) {
        return batches.add(start);
    }
}
