package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.FleetPosition;
import jakarta.annotation.Nullable;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The last known state of provider trees of Berth's Placement, by the id of their root, shared by all requests. The
 * version of an entry and the position at which placement sent it decide whether a response may use the entry, so
 * entries may be missing or old without harm. Bounded in bytes: evicts the trees that no response has referred to for
 * the longest time. Thread-safe.
 */
final class TreeTable {
    /** Estimated heap bytes per tree, including the data derived for its hosts but not its providers. */
    static final int TREE_BYTES = 700;
    /** Estimated heap bytes per provider. */
    static final int PROVIDER_BYTES = 400;

    /**
     * Replaced states of trees may use additional memory: the limit of the table divided by this, which is enough for
     * some seconds. They are kept because decisions may store later states while a response to a query on a scenario,
     * which refers to the replaced states, is in transit.
     */
    private static final int REPLACED_PART = 16;

    /**
     * Maximum replicas whose positions a query names; placement accepts no more. The replica that has not responded for
     * the longest time is forgotten.
     */
    private static final int REPLICAS_MAX = 8;

    private static final class Entry {
        private final ReceivedTree received;
        /** The last change that placement had applied when it sent the tree. */
        private final FleetPosition receivedAt;
        /**
         * The value of {@link #responseCount} at the last use. Written without synchronization, so it may be slightly
         * too low.
         */
        private int usedAt;

        Entry(ReceivedTree received, FleetPosition receivedAt, int usedAt) {
            this.received = received;
            this.receivedAt = receivedAt;
            this.usedAt = usedAt;
        }
    }

    private final LongSupplier bytesMax;
    private final Map<Long, Entry> trees = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    /** Number of responses so far, which orders the entries by their last use. */
    private final AtomicInteger responseCount = new AtomicInteger();
    private final ReentrantLock evicting = new ReentrantLock();
    /** Replica to position, the replica that responded last at the end. Guarded by itself. */
    private final LinkedHashMap<String, Long> positions = new LinkedHashMap<>(REPLICAS_MAX, 0.75f, true);

    /** Version to replaced tree, the last replaced at the end. Guarded by itself. */
    private final LinkedHashMap<Long, ReceivedTree> replaced = new LinkedHashMap<>();
    /** Estimated heap bytes of the replaced trees. Guarded by {@link #replaced}. */
    private long replacedBytes;

    /** @param bytesMax returns the present limit in bytes */
    TreeTable(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    TreeTable(long bytesMax) {
        this(() -> bytesMax);
    }

    /** Counts a response. */
    void countResponse() {
        responseCount.incrementAndGet();
    }

    /**
     * Returns a tree in the given state or a later one; null if neither is known.
     *
     * @param id of the root
     * @param responsePosition the position of the response that refers to the tree
     */
    @Nullable ReceivedTree find(long id, long version, FleetPosition responsePosition) {
        Entry entry = trees.get(id);
        if (entry == null || (entry.received.version() != version && !entry.receivedAt.isNotBefore(responsePosition))) {
            return null;
        }
        entry.usedAt = responseCount.get();
        return entry.received;
    }

    /** Returns a tree in exactly the given state, which may be a replaced one; null if this state is not known. */
    @Nullable ReceivedTree findExactly(long id, long version) {
        Entry entry = trees.get(id);
        if (entry != null && entry.received.version() == version) {
            entry.usedAt = responseCount.get();
            return entry.received;
        }
        synchronized (replaced) {
            ReceivedTree earlier = replaced.get(version);
            return earlier == null || earlier.id() != id ? null : earlier;
        }
    }

    /**
     * Stores a tree, unless the same replica of placement has returned this or a later state of the tree already.
     * Returns the state that is stored then.
     *
     * @param sentAt the last change that placement had applied when it sent the tree
     */
    ReceivedTree learn(ReceivedTree received, FleetPosition sentAt) {
        Entry stored = trees.compute(received.id(), (id, earlier) -> {
            boolean isStoredLater = earlier != null && earlier.receivedAt.isNotBefore(sentAt);
            boolean hasSameVersion = earlier != null && earlier.received.version() == received.version();
            if (isStoredLater) {
                return earlier;
            }
            if (earlier != null && !hasSameVersion) {
                keepReplaced(earlier.received);
            }
            bytes.addAndGet(hasSameVersion ? 0 : bytesOf(received) - (earlier == null ? 0 : bytesOf(earlier.received)));
            return new Entry(hasSameVersion ? earlier.received : received, sentAt, responseCount.get());
        });
        if (bytes.get() > bytesMax.getAsLong() && evicting.tryLock()) {
            try {
                evictOldest();
            } finally {
                evicting.unlock();
            }
        }
        return stored.received;
    }

    private void keepReplaced(ReceivedTree tree) {
        synchronized (replaced) {
            ReceivedTree previous = replaced.putLast(tree.version(), tree);
            replacedBytes += bytesOf(tree) - (previous == null ? 0 : bytesOf(previous));
            long max = bytesMax.getAsLong() / REPLACED_PART;
            while (replacedBytes > max) {
                replacedBytes -= bytesOf(replaced.pollFirstEntry().getValue());
            }
        }
    }

    private static long bytesOf(ReceivedTree tree) {
        return TREE_BYTES + (long) PROVIDER_BYTES * tree.providerIds().length;
    }

    /** Evicts trees until an eighth of the limit is free, so that the next run, which scans all trees, comes late. */
    private void evictOldest() {
        int now = responseCount.get();
        long max = bytesMax.getAsLong();
        // Each age is read once: other threads change usedAt while the list is sorted.
        record Aged(Entry entry, int age) {}
        List<Aged> oldestFirst = trees.values().stream()
                .map(entry -> new Aged(entry, now - entry.usedAt))
                .sorted(Comparator.comparingInt(Aged::age).reversed())
                .toList();
        for (Aged each : oldestFirst) {
            if (bytes.get() <= max - max / 8) {
                return;
            }
            if (trees.remove(each.entry.received.id(), each.entry)) {
                bytes.addAndGet(-bytesOf(each.entry.received));
            }
        }
    }

    /**
     * Notes that the table has received all changes up to this position, so that placement need not send them again.
     * Evicted trees are queried when a response refers to them.
     */
    void receivedUpTo(FleetPosition upTo) {
        synchronized (positions) {
            positions.merge(upTo.replica(), upTo.position(), Math::max);
            if (positions.size() > REPLICAS_MAX) {
                positions.pollFirstEntry();
            }
        }
    }

    /**
     * Returns {@code &after=replica.position} for each replica that responded lately. The values have only letters,
     * digits, "-", "_" and ".", and so need no encoding.
     */
    String positionsAsParameters() {
        return positions().stream().map("&after="::concat).collect(Collectors.joining());
    }

    /** Returns {@code replica.position} for each replica that responded lately. */
    List<String> positions() {
        synchronized (positions) {
            return positions.entrySet().stream().map(each -> each.getKey() + "." + each.getValue()).toList();
        }
    }

    int size() {
        return trees.size();
    }

    long bytes() {
        return bytes.get();
    }
}
