package io.berth.placement.fleet;

import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** A root provider with all its descendants. A view shares all trees that did not change with the view before it. */
public final class ProviderTree {
    private static final int[] NO_INTS = {};

    private final Provider[] nodes;
    private final int[] parents;
    // A search may return a thousand trees. The root's id and the version are fields of the tree, so that both are on
    // the same line of the processor's cache.
    private final long rootId;
    /**
     * The first {@link #contentVersion} that was computed, valid for {@link #renames} (-1 while there is none). Both
     * are written once, this one first.
     */
    private long contentVersion;

    private volatile int renames = -1;
    /** The latest version, if names have changed since the first one was computed. */
    private volatile @Nullable ContentVersion renamed;

    /** @param renames the {@link NameCatalogue#renames} for which it was computed */
    private record ContentVersion(int renames, long value) {}

    private ProviderTree(Provider[] nodes, int[] parents) {
        this.nodes = nodes;
        this.parents = parents;
        this.rootId = nodes[0].id();
    }

    /**
     * Returns the tree of the members whose parents lead to the root; null if the root is not among them. After manual
     * SQL, members of another tree can name this root, and parents can form a loop.
     *
     * @param members in any order
     * @param rootId the root that all members name
     */
    static @Nullable ProviderTree find(Provider[] members, long rootId) {
        if (members.length == 1) {
            return isRoot(members[0], rootId) ? new ProviderTree(members, new int[] {-1}) : null;
        }
        Provider[] byId = members.clone();
        Arrays.sort(byId, Comparator.comparingLong(Provider::id));
        // Parents before children; among siblings the order of creation.
        Provider[] ordered = new Provider[byId.length];
        int[] parents = new int[byId.length];
        int filled = 0;
        for (Provider node : byId) {
            if (isRoot(node, rootId)) {
                ordered[filled] = node;
                parents[filled++] = -1;
            }
        }
        Map<Long, List<Provider>> children = Arrays.stream(byId).collect(Collectors.groupingBy(Provider::parentId));
        for (int next = 0; next < filled; next++) {
            for (Provider node : children.getOrDefault(ordered[next].id(), List.of())) {
                ordered[filled] = node;
                parents[filled++] = next;
            }
        }
        if (filled == byId.length) {
            return new ProviderTree(ordered, parents);
        }
        return filled == 0 ? null : new ProviderTree(Arrays.copyOf(ordered, filled), Arrays.copyOf(parents, filled));
    }

    private static boolean isRoot(Provider node, long rootId) {
        return node.isRoot() && node.id() == rootId;
    }

    /**
     * Returns a number computed from the content of this tree, cached for the number of renames. Thread-safe:
     * concurrent results are equal.
     *
     * @param made computes the number
     */
    public long contentVersion(int renames, ToLongFunction<ProviderTree> made) {
        if (this.renames == renames) {
            return contentVersion;
        }
        ContentVersion known = renamed;
        return known != null && known.renames() == renames
                ? known.value()
                : keep(renames, made.applyAsLong(this));
    }

    private synchronized long keep(int renamesNow, long version) {
        if (renames == -1) {
            contentVersion = version;
            renames = renamesNow;
        } else if (renames != renamesNow) {
            renamed = new ContentVersion(renamesNow, version);
        }
        return version;
    }

    /** Returns whether {@link #contentVersion} is cached. */
    public boolean hasContentVersion(int renames) {
        ContentVersion known = renamed;
        return this.renames == renames || known != null && known.renames() == renames;
    }

    /** Returns the same tree with another state of the provider at that position. */
    public ProviderTree with(int position, Provider now) {
        Provider[] changed = nodes.clone();
        changed[position] = now;
        return new ProviderTree(changed, parents);
    }

    public int size() {
        return nodes.length;
    }

    /** Returns the provider at a position: 0 is the root; a parent's position is below its children's. */
    public Provider node(int position) {
        return nodes[position];
    }

    /** Returns all providers, the root first, parents before their children. */
    public List<Provider> nodes() {
        return Collections.unmodifiableList(Arrays.asList(nodes));
    }

    public long rootId() {
        return rootId;
    }

    public Provider root() {
        return nodes[0];
    }

    /** Returns the position of the node's parent; -1 for the root. */
    public int parent(int position) {
        return parents[position];
    }

    /** Returns the position of the provider with that id; -1 if it is no member. */
    public int find(long providerId) {
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].id() == providerId) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether {@code position} is {@code ancestor} or below it. */
    public boolean isWithin(int position, int ancestor) {
        int at = position;
        while (at > ancestor) {
            at = parents[at];
        }
        return at == ancestor;
    }

    /** Returns the ids of all traits of all members, ascending, each once. */
    int[] traitIds() {
        if (nodes.length == 1) {
            return nodes[0].traitIds();
        }
        return distinct(node -> node.traitIds());
    }

    /** Returns the ids of all classes with an inventory in any member, ascending, each once. */
    int[] classIds() {
        if (nodes.length == 1) {
            return nodes[0].inventories().classIds();
        }
        return distinct(node -> node.inventories().classIds());
    }

    private int[] distinct(java.util.function.Function<Provider, int[]> column) {
        int[] all = NO_INTS;
        for (Provider node : nodes) {
            int[] more = column.apply(node);
            if (more.length > 0) {
                int length = all.length;
                all = Arrays.copyOf(all, length + more.length);
                System.arraycopy(more, 0, all, length, more.length);
            }
        }
        return Arrays.stream(all).sorted().distinct().toArray();
    }

    @Override
    public String toString() {
        return "ProviderTree[" + nodes[0].name() + ", " + nodes.length + " nodes]";
    }
}
