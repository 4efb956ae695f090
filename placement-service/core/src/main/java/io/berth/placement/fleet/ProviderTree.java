package io.berth.placement.fleet;

import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * A root provider with all its descendants. Immutable, except for the cached {@link #contentVersion}. Thread-safe. A
 * view shares all unchanged trees with the previous view.
 */
public final class ProviderTree {
    private static final int[] NO_INTS = {};

    private final Provider[] nodes;
    /** By position, the position of the parent; -1 for the root. */
    private final int[] parents;
    // The root's id and the version are fields of the tree, so that both are on the same line of the processor's cache:
    // a search may return thousands of trees.
    private final long rootId;
    /** The first {@link #contentVersion} that was computed. Written once, before {@code renames}. */
    private long contentVersion;

    /**
     * The number of renames for which {@code contentVersion} was computed; -1 if it was not computed yet. Written once.
     */
    private volatile int renames = -1;
    /** The latest version that was computed for another number of renames than the first one; null if there is none. */
    private volatile @Nullable ContentVersion renamed;

    /** @param renames the {@link NameCatalogue#renames} for which the version was computed */
    private record ContentVersion(int renames, long value) {}

    private ProviderTree(Provider[] nodes, int[] parents) {
        this.nodes = nodes;
        this.parents = parents;
        this.rootId = nodes[0].id();
    }

    /**
     * Builds the tree of those members whose parents lead to the root; null if the root is not among the members. Other
     * members are possible after manual SQL: a {@code root_id} may be wrong, and parents may form a loop.
     *
     * @param members providers with this {@code root_id}, in any order
     * @param rootId the {@code root_id} of all members
     */
    static @Nullable ProviderTree build(Provider[] members, long rootId) {
        if (members.length == 1) {
            return isRoot(members[0], rootId) ? new ProviderTree(members, new int[] {-1}) : null;
        }
        Provider[] byId = members.clone();
        Arrays.sort(byId, Comparator.comparingLong(Provider::id));
        // Parents come before children, and siblings are in the order of creation.
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
     * Returns the version of the tree's content, by which clients recognize a changed tree. The version is cached for
     * each number of renames, because it depends on the names of resource classes.
     *
     * @param renames the {@link NameCatalogue#renames} of the view's resource classes
     * @param compute computes the version from the tree and the present names; must be a pure function. Called if the
     *         version is not cached
     */
    public long contentVersion(int renames, ToLongFunction<ProviderTree> compute) {
        if (this.renames == renames) {
            return contentVersion;
        }
        ContentVersion cached = renamed;
        return cached != null && cached.renames() == renames
                ? cached.value()
                : cacheVersion(renames, compute.applyAsLong(this));
    }

    private synchronized long cacheVersion(int renamesNow, long version) {
        if (renames == -1) {
            contentVersion = version;
            renames = renamesNow;
        } else if (renames != renamesNow) {
            renamed = new ContentVersion(renamesNow, version);
        }
        return version;
    }

    /** Returns whether {@link #contentVersion} is cached for this number of renames. */
    public boolean hasContentVersion(int renames) {
        ContentVersion cached = renamed;
        return this.renames == renames || cached != null && cached.renames() == renames;
    }

    /** Returns the same tree with another state of the provider at a position. */
    public ProviderTree with(int position, Provider now) {
        Provider[] changed = nodes.clone();
        changed[position] = now;
        return new ProviderTree(changed, parents);
    }

    public int size() {
        return nodes.length;
    }

    /** Returns the provider at a position. The root has position 0; a parent has a lower position than its children. */
    public Provider node(int position) {
        return nodes[position];
    }

    /** Returns all providers by position: the root first, and parents before their children. */
    public List<Provider> nodes() {
        return Collections.unmodifiableList(Arrays.asList(nodes));
    }

    public long rootId() {
        return rootId;
    }

    public Provider root() {
        return nodes[0];
    }

    /** Returns the position of the parent of the provider at a position; -1 for the root. */
    public int parent(int position) {
        return parents[position];
    }

    /** Returns the position of the provider with this id; -1 if it is not in this tree. */
    public int find(long providerId) {
        for (int i = 0; i < nodes.length; i++) {
            if (nodes[i].id() == providerId) {
                return i;
            }
        }
        return -1;
    }

    /** Returns whether the provider at {@code position} is the one at {@code ancestor} or one of its descendants. */
    public boolean isWithin(int position, int ancestor) {
        int current = position;
        while (current > ancestor) {
            current = parents[current];
        }
        return current == ancestor;
    }

    /** Returns the ids of the traits of all providers, ascending, each once. */
    int[] traitIds() {
        if (nodes.length == 1) {
            return nodes[0].traitIds();
        }
        return distinct(node -> node.traitIds());
    }

    /** Returns the ids of the resource classes of which any provider has an inventory, ascending, each once. */
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
