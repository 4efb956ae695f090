package io.berth.placement.candidate.response;

import io.berth.placement.candidate.response.ResponseForm.Summaries;
import io.berth.placement.fleet.ChangedTree;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * Writes the content of a tree in the form of Berth's own routes: {@code {"id", "version", "providers": [{"id", "uuid",
 * "parent", "resources": {"VCPU": {"capacity", "used"}}, "traits": []}]}}. The id is that of the root, the first of the
 * providers; {@code parent} is the id of the parent, null for the root. The version is a hash of the bytes of {@code
 * providers}, so equal content has an equal version on every replica.
 */
public final class TreeWriter {
    /** The golden ratio as 64 bits, the increment of SplitMix64. */
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private final int renames;
    private final ProviderSummaries summaries;

    public TreeWriter(FleetView view) {
        this.renames = view.resourceClasses().renames();
        this.summaries = new ProviderSummaries(view, Summaries.TREES, new int[0]);
    }

    /**
     * Begins an object with the members {@code replica} and {@code position}, which identify the view that a response
     * shows.
     */
    static void beginResponse(FleetView view, JsonBytes out) {
        out.put("{\"replica\":\"").put(view.lineage()).put("\",\"position\":").put(view.version());
    }

    /** Returns the version of the tree, from the tree's cache if possible. */
    long version(ProviderTree tree) {
        return tree.contentVersion(renames, _ -> hash(providers(tree)));
    }

    /** Returns whether the version of the tree is not cached, so that {@link #version} must render the tree. */
    boolean hasNoCachedVersion(ProviderTree tree) {
        return !tree.hasContentVersion(renames);
    }

    /** Returns the content of the tree as a JSON object. */
    byte[] write(ProviderTree tree) {
        byte[] providers = providers(tree);
        return new JsonBytes()
                .put("{\"id\":").put(tree.root().id())
                .put(",\"version\":").put(tree.contentVersion(renames, _ -> hash(providers)))
                .put(",\"providers\":").put(providers).put('}')
                .toByteArray();
    }

    /** Returns the same as {@link #write(ProviderTree)}, from the cache of the changed tree if possible. */
    byte[] write(ChangedTree changed) {
        return changed.json(renames, this::write);
    }

    /**
     * Returns the content of the tree with additional members for each provider.
     *
     * @param furtherMembers writes the additional members of a provider, each after {@link JsonBytes#beginElement};
     *         these members do not change the version
     */
    public byte[] write(ProviderTree tree, BiConsumer<Provider, JsonBytes> furtherMembers) {
        return new JsonBytes()
                .put("{\"id\":").put(tree.root().id())
                .put(",\"version\":").put(version(tree))
                .put(",\"providers\":").put(providers(tree, furtherMembers)).put('}')
                .toByteArray();
    }

    private byte[] providers(ProviderTree tree) {
        return providers(tree, (_, _) -> {});
    }

    private byte[] providers(ProviderTree tree, BiConsumer<Provider, JsonBytes> furtherMembers) {
        JsonBytes out = new JsonBytes().put('[');
        for (int node = 0; node < tree.size(); node++) {
            Provider provider = tree.node(node);
            out.beginElement().put("{\"id\":").put(provider.id()).put(",\"uuid\":").put(provider.uuid())
                    .put(",\"parent\":");
            if (provider.isRoot()) {
                out.put("null");
            } else {
                out.put(provider.parentId());
            }
            summaries.writeContent(provider, out);
            furtherMembers.accept(provider, out);
            out.put('}');
        }
        return out.put(']').toByteArray();
    }

    /**
     * Returns a 64-bit hash, in which a changed byte changes each bit with probability 1/2. The algorithm must not
     * change, because clients compare versions of replicas that may run different releases.
     */
    static long hash(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes);
        long hash = SEED ^ bytes.length;
        while (words.remaining() >= Long.BYTES) {
            hash = mix(hash ^ words.getLong());
        }
        long rest = 0;
        while (words.hasRemaining()) {
            rest = rest << Byte.SIZE | words.get() & 0xff;
        }
        return mix(hash ^ rest);
    }

    /**
     * The mixing function of SplitMix64. Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators,
     * 2014.
     */
    private static long mix(long word) {
        long z = word + SEED;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
