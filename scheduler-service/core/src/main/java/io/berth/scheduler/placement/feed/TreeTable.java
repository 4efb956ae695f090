package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.Moment;
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
 * The last known state of the provider trees of Berth's Placement, by the id of their root: one table for all
 * requests. Versions and moments decide which entries a response may use, so any entry may be missing. Bounded in
 * bytes: evicts the trees that no response named for the longest time. Thread-safe.
 */
final class TreeTable {
    /** Estimated heap bytes of a tree in the table, with the data derived for its hosts. */
    static final int TREE_BYTES = 700;
    /** Estimated heap bytes of each provider. */
    static final int PROVIDER_BYTES = 400;

    /**
     * The divisor for the part of the table's memory that replaced states may take, enough for some seconds: while the
     * response to a query is in transit, decisions may store newer states of trees that it refers to.
     */
    private static final int REPLACED_PART = 16;

    /** Maximum replicas whose last positions a query names; placement accepts no more. */
    private static final int REPLICAS_MAX = 8;

    private static final class Entry {
        private final ReceivedTree received;
        private final Moment learnt;
        /** The value of {@link #answers} at the last use; slightly older if threads write concurrently. */
        private int usedAt;

        Entry(ReceivedTree received, Moment learnt, int usedAt) {
            this.received = received;
            this.learnt = learnt;
            this.usedAt = usedAt;
        }
    }

    private final LongSupplier bytesMax;
    private final Map<Long, Entry> trees = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger answers = new AtomicInteger();
    private final ReentrantLock clearing = new ReentrantLock();
    /** Position by replica, the one that responded last at the end. Guarded by itself. */
    private final LinkedHashMap<String, Long> positions = new LinkedHashMap<>(REPLICAS_MAX, 0.75f, true);

    /** Replaced states by version, the latest at the end. Guarded by itself. */
    private final LinkedHashMap<Long, ReceivedTree> replaced = new LinkedHashMap<>();
    /** Guarded by {@link #replaced}. */
    private long replacedBytes;

    /** @param bytesMax how many bytes the table may use at the moment */
    TreeTable(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    TreeTable(long bytesMax) {
        this(() -> bytesMax);
    }

    /** Advances the count of responses, which orders the trees by their last use. */
    void answer() {
        answers.incrementAndGet();
    }

    /**
     * Returns the tree in the state referred to, or a later one. Null if neither is known.
     *
     * @param seen the moment of the reference
     */
    @Nullable ReceivedTree find(long id, long version, Moment seen) {
        Entry entry = trees.get(id);
        if (entry == null || (entry.received.version() != version && !entry.learnt.isNotBefore(seen))) {
            return null;
        }
        entry.usedAt = answers.get();
        return entry.received;
    }

    /** Returns the tree in exactly that state, current or replaced. Null if it is not known. */
    @Nullable ReceivedTree findExactly(long id, long version) {
        Entry entry = trees.get(id);
        if (entry != null && entry.received.version() == version) {
            entry.usedAt = answers.get();
            return entry.received;
        }
        synchronized (replaced) {
            ReceivedTree before = replaced.get(version);
            return before == null || before.id() != id ? null : before;
        }
    }

    /** Stores a tree and returns it as known afterwards: a later state if the same replica returned one before. */
    ReceivedTree learn(ReceivedTree received, Moment at) {
        Entry known = trees.compute(received.id(), (id, before) -> {
            boolean isKnown = before != null && before.learnt.isNotBefore(at);
            boolean isAlike = before != null && before.received.version() == received.version();
            if (isKnown) {
                return before;
            }
            if (before != null && !isAlike) {
                replaced(before.received);
            }
            bytes.addAndGet(isAlike ? 0 : bytesOf(received) - (before == null ? 0 : bytesOf(before.received)));
            return new Entry(isAlike ? before.received : received, at, answers.get());
        });
        if (bytes.get() > bytesMax.getAsLong() && clearing.tryLock()) {
            try {
                forgetOldest();
            } finally {
                clearing.unlock();
            }
        }
        return known.received;
    }

    private void replaced(ReceivedTree tree) {
        synchronized (replaced) {
            ReceivedTree same = replaced.putLast(tree.version(), tree);
            replacedBytes += bytesOf(tree) - (same == null ? 0 : bytesOf(same));
            long max = bytesMax.getAsLong() / REPLACED_PART;
            while (replacedBytes > max) {
                replacedBytes -= bytesOf(replaced.pollFirstEntry().getValue());
            }
        }
    }

    private static long bytesOf(ReceivedTree tree) {
        return TREE_BYTES + (long) PROVIDER_BYTES * tree.providerIds().length;
    }

    /** Evicts an eighth at once, because each run scans all trees. */
    private void forgetOldest() {
        int now = answers.get();
        long max = bytesMax.getAsLong();
        // Reads each age once, because other threads use trees meanwhile.
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
     * Notes that placement need not send changes up to this moment again. Evicted trees are queried when a response
     * refers to them.
     */
    void seen(Moment moment) {
        synchronized (positions) {
            positions.merge(moment.replica(), moment.position(), Math::max);
            if (positions.size() > REPLICAS_MAX) {
                positions.pollFirstEntry();
            }
        }
    }

    /**
     * Returns {@code &after=replica.position} for each replica that responded lately; the values consist of letters,
     * digits, - and _.
     */
    String asParameters() {
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
