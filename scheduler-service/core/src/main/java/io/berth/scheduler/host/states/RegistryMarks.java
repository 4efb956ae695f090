package io.berth.scheduler.host.states;

import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records when the registered data about a host last changed. Two registries are compared once, regardless of the
 * number of requests and hosts; a host made from an older registry then checks its marks for validity. Bounded in
 * bytes: too many marks are discarded all at once. Thread-safe.
 */
final class RegistryMarks {
    /** The divisor for the part of the heap that marks may take. */
    private static final int HEAP_PART = 16;
    /** Estimated heap bytes of a mark, its key, and its entry in the map. */
    private static final int MARK_BYTES = 110;

    /** The mark of one host or one provider. Created and changed only here. */
    static final class Mark {
        private volatile long changedAt;

        private Mark(long changedAt) {
            this.changedAt = changedAt;
        }

        /** Returns whether the marked data is the same in both registries, given by their numbers. */
        boolean holds(long one, long other) {
            long last = changedAt;
            return last <= one && last <= other;
        }
    }

    private final long marksMax;
    /** Marks by provider (a UUID), or by the name of a host that is not registered as a compute node. */
    private volatile Map<Object, Mark> marks = new ConcurrentHashMap<>();
    /** The mark of all hosts at once. */
    private volatile Mark all = new Mark(0);
    private volatile RegistrySnapshot latest = RegistrySnapshot.EMPTY;
    /** Number of the registry up to which marks are being updated; a mark created meanwhile begins there. */
    private volatile long underWay;

    RegistryMarks() {
        this(Runtime.getRuntime().maxMemory() / HEAP_PART / MARK_BYTES);
    }

    RegistryMarks(long marksMax) {
        this.marksMax = marksMax;
    }

    /**
     * Marks all changes up to that registry. Cheap if that is done already; else it compares the registries' shards.
     */
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
        underWay = now.number();
        if (now.differs(before, Collection.CELLS) || now.differs(before, Collection.HOST_AGGREGATES)) {
            all.changedAt = now.number();
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
     * Runs under the map's own lock: a mark that another thread is creating is either found here, or begins with the
     * current number.
     */
    private void mark(Object key) {
        marks.computeIfPresent(key, (same, mark) -> {
            mark.changedAt = underWay;
            return mark;
        });
    }

    /** Returns the mark of all hosts; must be called before the other marks are requested. */
    Mark ofAll() {
        if (marks.size() > marksMax) {
            beginAnew();
        }
        return all;
    }

    private synchronized void beginAnew() {
        if (marks.size() > marksMax) {
            Mark ended = all;
            marks = new ConcurrentHashMap<>();
            all = new Mark(underWay);
            ended.changedAt = Long.MAX_VALUE;
        }
    }

    /** @param provider whose node is marked, with the service and the instances of the node's host */
    Mark of(UUID provider) {
        return marks.computeIfAbsent(provider, _ -> new Mark(underWay));
    }

    /** @param host whose service and instances are marked */
    Mark of(String host) {
        return marks.computeIfAbsent(host, _ -> new Mark(underWay));
    }
}
