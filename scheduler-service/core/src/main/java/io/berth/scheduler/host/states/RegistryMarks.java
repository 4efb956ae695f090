package io.berth.scheduler.host.states;

import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records in which registry snapshot the registered data about a host last changed. Each new snapshot is compared once
 * with its predecessor, and its number is written to the marks of the data that changed. A cached host is valid while
 * none of its marks changes. The number of marks is limited: beyond the limit all marks are replaced, and all cached
 * hosts become invalid. Thread-safe.
 */
final class RegistryMarks {
    /** Marks may use 1/16 of the heap. */
    private static final int HEAP_DIVISOR = 16;
    /** Estimated heap bytes of a mark, its key, and its entry in the map. */
    private static final int MARK_BYTES = 110;

    /** The number of the snapshot in which the data of one host, or one provider, or all hosts last changed. */
    static final class Mark {
        private volatile long changedAt;

        private Mark(long changedAt) {
            this.changedAt = changedAt;
        }

        /** Returns whether the data is the same in the snapshots with these numbers. */
        boolean isUnchangedBetween(long firstNumber, long secondNumber) {
            long changed = changedAt;
            return changed <= firstNumber && changed <= secondNumber;
        }
    }

    private final long marksMax;
    /** Marks by provider uuid (a UUID), or by name (a String) of a host without a registered compute node. */
    private volatile Map<Object, Mark> marks = new ConcurrentHashMap<>();
    /** The mark of data that may concern any host: cells and aggregates. */
    private volatile Mark allHosts = new Mark(0);
    private volatile RegistrySnapshot latest = RegistrySnapshot.EMPTY;
    /** Number of the latest snapshot for which {@link #advance} began; new marks get this number. */
    private volatile long advancedTo;

    RegistryMarks() {
        this(Runtime.getRuntime().maxMemory() / HEAP_DIVISOR / MARK_BYTES);
    }

    RegistryMarks(long marksMax) {
        this.marksMax = marksMax;
    }

    /** Marks all changes up to this snapshot. Does nothing if the marks are as recent; else compares the snapshots. */
    void advanceTo(RegistrySnapshot now) {
        if (now.number() > latest.number()) {
            advance(now);
        }
    }

    private synchronized void advance(RegistrySnapshot now) {
        RegistrySnapshot before = latest;
        if (now.number() <= before.number()) {
            return;
        }
        advancedTo = now.number();
        if (now.mayDiffer(before, RecordCollection.CELLS) || now.mayDiffer(before, RecordCollection.HOST_AGGREGATES)) {
            allHosts.changedAt = now.number();
        }
        now.forEachChangedNode(before, this::mark);
        now.forEachChangedHost(before, host -> {
            mark(host);
            before.computeNodesOf(host).forEach(node -> mark(node.uuid()));
            now.computeNodesOf(host).forEach(node -> mark(node.uuid()));
        });
        latest = now;
    }

    /**
     * Marks a change. {@code computeIfPresent} locks the entry: a mark that another thread creates at the same time is
     * either changed here, or begins with the number that {@code advancedTo} already has.
     */
    private void mark(Object key) {
        marks.computeIfPresent(key, (same, mark) -> {
            mark.changedAt = advancedTo;
            return mark;
        });
    }

    /**
     * Returns the mark of all hosts, and replaces all marks if there are too many. A caller must call this method
     * before {@code of}: if the marks are replaced between both calls, the mark of this method invalidates the host.
     */
    Mark ofAll() {
        if (marks.size() > marksMax) {
            replaceMarks();
        }
        return allHosts;
    }

    /** Discards all marks. The discarded mark of all hosts invalidates every host that has it. */
    private synchronized void replaceMarks() {
        if (marks.size() > marksMax) {
            Mark discarded = allHosts;
            marks = new ConcurrentHashMap<>();
            allHosts = new Mark(advancedTo);
            discarded.changedAt = Long.MAX_VALUE;
        }
    }

    /** Returns the mark of a provider's compute node, and of the service, instances and builds of the node's host. */
    Mark of(UUID provider) {
        return marks.computeIfAbsent(provider, _ -> new Mark(advancedTo));
    }

    /** Returns the mark of the service, instances and builds of a host that has no registered compute node. */
    Mark of(String host) {
        return marks.computeIfAbsent(host, _ -> new Mark(advancedTo));
    }
}
