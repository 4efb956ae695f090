package io.berth.placement.fleet;

import jakarta.annotation.Nullable;
import java.util.function.Function;

/**
 * A tree that changed recently, in its present state. Caches the JSON of the tree, which many clients may request;
 * otherwise immutable. Thread-safe.
 */
public final class ChangedTree {
    private final long version;
    private final ProviderTree tree;
    private final long rootId;
    /** The cached JSON. A data race is harmless: the record is immutable, and all threads compute equal bytes. */
    private @Nullable Rendered rendered;

    /** @param renames the {@link NameCatalogue#renames} at which the JSON was rendered */
    private record Rendered(int renames, byte[] json) {}

    ChangedTree(long version, ProviderTree tree) {
        this.version = version;
        this.tree = tree;
        this.rootId = tree.root().id();
    }

    /** Returns the {@link FleetView#version} of the first view with the change. */
    long version() {
        return version;
    }

    long rootId() {
        return rootId;
    }

    public ProviderTree tree() {
        return tree;
    }

    /**
     * Returns the tree's JSON, from the cache if it was rendered at the same number of renames.
     *
     * @param renames the {@link NameCatalogue#renames} of the view's resource classes
     * @param writer renders the tree; must be a pure function
     */
    public byte[] json(int renames, Function<ProviderTree, byte[]> writer) {
        Rendered cached = rendered;
        if (cached == null || cached.renames() != renames) {
            cached = new Rendered(renames, writer.apply(tree));
            rendered = cached;
        }
        return cached.json();
    }
}
