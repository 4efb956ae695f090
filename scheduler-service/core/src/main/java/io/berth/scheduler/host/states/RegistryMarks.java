package io.berth.scheduler.host.states;

import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When what is registered about a host changed last. Two registries are compared once, however many requests and hosts
 * there are; a host that was made of an older registry then asks its marks whether it still holds. Bounded in bytes: when
 * there are too many, all begins anew. Any thread may call.
 */
final class RegistryMarks {
    /** A sixteenth of the heap. */
    private static final int HEAP_PART = 16;
    /** Of heap, reckoned: a mark, its key, and its place in the map. */
    private static final int MARK_BYTES = 110;

    /** Of one host, or of one provider. Made and changed here. */
    static final class Mark {
        private volatile long changedAt;

        private Mark(long changedAt) {
            this.changedAt = changedAt;
        }

        /** Returns whether what it stands for is in both registries the same, by their numbers. */
        boolean holds(long one, long other) {
            long last = changedAt;
            return last <= one && last <= other;
        }
    }

    private final long marksMax;
    /** By provider, a UUID, or by name of a host that nobody registered as a compute node. */
    private volatile Map<Object, Mark> marks = new ConcurrentHashMap<>();
    /** Of all hosts at once. */
    private volatile Mark all = new Mark(0);
    private volatile RegistrySnapshot latest = RegistrySnapshot.EMPTY;
    /** Number of the registry up to which marks are being made; what is made meanwhile begins there. */
    private volatile long underWay;

    RegistryMarks() {
        this(Runtime.getRuntime().maxMemory() / HEAP_PART / MARK_BYTES);
    }

    RegistryMarks(long marksMax) {
        this.marksMax = marksMax;
    }

    /** Marks what changed until then. Cost: little if that is known; else a comparison of the registries' shards. */
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

    /** Under the map's own lock: a mark that another thread is just making is either found here, or begins now. */
    private void mark(Object key) {
        marks.computeIfPresent(key, (same, mark) -> {
            mark.changedAt = underWay;
            return mark;
        });
    }

    /** To be asked for before the others. */
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

    /** @param provider its node, and the service and the instances of the node's host */
    Mark of(UUID provider) {
        return marks.computeIfAbsent(provider, made -> new Mark(underWay));
    }

    /** @param host its service and its instances */
    Mark of(String host) {
        return marks.computeIfAbsent(host, made -> new Mark(underWay));
    }
}
