package io.berth.placement.fleet;

import java.util.function.Function;

/**
 * A recently changed tree in its present state, with its cached JSON, which many clients may request. Otherwise
 * immutable.
 */
public final class ChangedTree {
    private final long version;
    private final ProviderTree tree;
    private final long rootId;
    private Rendered rendered;

    /** @param renames the {@link NameCatalogue#renames} at which it was rendered */
    private record Rendered(int renames, byte[] json) {}

    ChangedTree(long version, ProviderTree tree) {
        this.version = version;
        this.tree = tree;
        this.rootId = tree.root().id();
    }

    /** Returns the {@link FleetView#version} of the change. */
    long version() {
        return version;
    }

    long rootId() {
        return rootId;
    }

    public ProviderTree tree() {
        return tree;
    }

    /** Returns the tree's JSON, rendered once for each number of renames. Thread-safe: concurrent results are equal. */
    public byte[] json(int renames, Function<ProviderTree, byte[]> writer) {
        Rendered known = rendered;
        if (known == null || known.renames() != renames) {
            known = new Rendered(renames, writer.apply(tree));
            rendered = known;
        }
        return known.json();
    }
}
