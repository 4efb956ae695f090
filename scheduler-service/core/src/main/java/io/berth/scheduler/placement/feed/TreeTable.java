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
 * The provider trees of Berth's Placement as they were told last, by the id of their root: one table for all requests. What
 * an answer may take from it is decided by versions and moments, so it may lack anything. Bounded in bytes: trees that no
 * answer named for the longest time go. Any thread may call.
 */
final class TreeTable {
    /** Of heap, reckoned: what the table holds of a tree, with what is derived of its hosts. */
    static final int TREE_BYTES = 700;
    /** The same for each provider. */
    static final int PROVIDER_BYTES = 400;

    /**
     * Of what the table may take, so much is for states that others have replaced: while the answer to a question is on its
     * way, decisions are told of trees that it refers to. Some seconds' worth.
     */
    private static final int REPLACED_PART = 16;

    /** Replicas whose last positions are named in questions; placement takes no more. */
    private static final int REPLICAS_MAX = 8;

    private static final class Entry {
        private final ToldTree told;
        private final Moment learnt;
        /** Of {@link #answers}; somewhat older where threads write at once. */
        private int usedAt;

        Entry(ToldTree told, Moment learnt, int usedAt) {
            this.told = told;
            this.learnt = learnt;
            this.usedAt = usedAt;
        }
    }

    private final LongSupplier bytesMax;
    private final Map<Long, Entry> trees = new ConcurrentHashMap<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger answers = new AtomicInteger();
    private final ReentrantLock clearing = new ReentrantLock();
    /** Position by replica, the one that answered last at the end. Guarded by itself. */
    private final LinkedHashMap<String, Long> positions = new LinkedHashMap<>(REPLICAS_MAX, 0.75f, true);

    /** By version, the latest at the end. Guarded by itself. */
    private final LinkedHashMap<Long, ToldTree> replaced = new LinkedHashMap<>();
    /** Guarded by {@link #replaced}. */
    private long replacedBytes;

    /** @param bytesMax how much it may take at the moment */
    TreeTable(LongSupplier bytesMax) {
        this.bytesMax = bytesMax;
    }

    TreeTable(long bytesMax) {
        this(() -> bytesMax);
    }

    /** Another answer begins to ask for trees. */
    void answer() {
        answers.incrementAndGet();
    }

    /**
     * The tree as it is referred to, or in a later state. Null where that is not known.
     *
     * @param seen when it was referred to
     */
    @Nullable ToldTree find(long id, long version, Moment seen) {
        Entry entry = trees.get(id);
        if (entry == null || (entry.told.version() != version && !entry.learnt.isNotBefore(seen))) {
            return null;
        }
        entry.usedAt = answers.get();
        return entry.told;
    }

    /** The tree in that very state, of now or of a while ago. Null where that is not known. */
    @Nullable ToldTree findExactly(long id, long version) {
        Entry entry = trees.get(id);
        if (entry != null && entry.told.version() == version) {
            entry.usedAt = answers.get();
            return entry.told;
        }
        synchronized (replaced) {
            ToldTree before = replaced.get(version);
            return before == null || before.id() != id ? null : before;
        }
    }

    /** The tree as it is known after this; a later state if the same replica told one before. */
    ToldTree learn(ToldTree told, Moment at) {
        Entry known = trees.compute(told.id(), (id, before) -> {
            boolean isKnown = before != null && before.learnt.isNotBefore(at);
            boolean isAlike = before != null && before.told.version() == told.version();
            if (isKnown) {
                return before;
            }
            if (before != null && !isAlike) {
                replaced(before.told);
            }
            bytes.addAndGet(isAlike ? 0 : bytesOf(told) - (before == null ? 0 : bytesOf(before.told)));
            return new Entry(isAlike ? before.told : told, at, answers.get());
        });
        if (bytes.get() > bytesMax.getAsLong() && clearing.tryLock()) {
            try {
                forgetOldest();
            } finally {
                clearing.unlock();
            }
        }
        return known.told;
    }

    private void replaced(ToldTree tree) {
        synchronized (replaced) {
            ToldTree same = replaced.putLast(tree.version(), tree);
            replacedBytes += bytesOf(tree) - (same == null ? 0 : bytesOf(same));
            long max = bytesMax.getAsLong() / REPLACED_PART;
            while (replacedBytes > max) {
                replacedBytes -= bytesOf(replaced.pollFirstEntry().getValue());
            }
        }
    }

    private static long bytesOf(ToldTree tree) {
        return TREE_BYTES + (long) PROVIDER_BYTES * tree.providerIds().length;
    }

    /** An eighth at once, as all are looked at. */
    private void forgetOldest() {
        int now = answers.get();
        long max = bytesMax.getAsLong();
        // Ages are read once: others go on using trees meanwhile.
        record Aged(Entry entry, int age) {}
        List<Aged> oldestFirst = trees.values().stream()
                .map(entry -> new Aged(entry, now - entry.usedAt))
                .sorted(Comparator.comparingInt(Aged::age).reversed())
                .toList();
        for (Aged each : oldestFirst) {
            if (bytes.get() <= max - max / 8) {
                return;
            }
            if (trees.remove(each.entry.told.id(), each.entry)) {
                bytes.addAndGet(-bytesOf(each.entry.told));
            }
        }
    }

    /** Whatever changed until then is known, or told another way. */
    void seen(Moment moment) {
        synchronized (positions) {
            positions.merge(moment.replica(), moment.position(), Math::max);
            if (positions.size() > REPLICAS_MAX) {
                positions.pollFirstEntry();
            }
        }
    }

    /** {@code &after=replica.position} for each replica heard of lately; they consist of letters, digits, - and _. */
    String asParameters() {
        return positions().stream().map("&after="::concat).collect(Collectors.joining());
    }

    /** {@code replica.position} for each replica heard of lately. */
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
