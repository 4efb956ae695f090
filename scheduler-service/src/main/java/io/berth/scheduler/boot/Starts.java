package io.berth.scheduler.boot;

import io.berth.scheduler.db.Batches;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes the records of boots that begin. Requests that begin while a statement is under way share the next one, and so
 * its commit: what a record costs falls as load rises.
 */
@Singleton
class Starts {
    /** Requests of which the records are written in one statement. */
    static final int REQUESTS_MAX = 128;

    private static final Duration WRITE_MAX = Duration.ofSeconds(10);

    /**
     * @param owned of how many of its instances the boot has the word; -1 where its record is another's
     * @param sinceNanos its lease began no earlier
     */
    record Written(long owned, long sinceNanos) {}

    private final Batches<Start, Written> batches;

    Starts(BootStore store) {
        batches = new Batches<>(REQUESTS_MAX, WRITE_MAX, Starts::keys, together -> {
            long sinceNanos = System.nanoTime();
            return store.start(together, Leases.LEASE.toSeconds())
                    .map(owned -> start -> new Written(owned.getOrDefault(start.token(), -1L), sinceNanos));
        });
    }

    /** A statement takes no key and no instance twice. */
    private static List<Object> keys(Start start) {
        return Stream.<Object>concat(Stream.of(start.asked().key()), start.asked().instances().stream()).toList();
    }

    Uni<Written> write(Start start) {
        return batches.add(start);
    }
}
