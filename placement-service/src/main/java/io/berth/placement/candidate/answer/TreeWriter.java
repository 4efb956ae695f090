package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.answer.AnswerForm.Summaries;
import io.berth.placement.fleet.ChangedTree;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.nio.ByteBuffer;
import java.util.function.BiConsumer;

/**
 * Writes a whole tree in the form of Berth's own routes, the root first: {@code {"id", "version", "providers": [{"id",
 * "uuid", "parent", "resources": {"VCPU": {"capacity", "used"}}, "traits": []}]}}. The version is a hash of {@code
 * providers} as written, so equal content has an equal version on every replica.
 */
public final class TreeWriter {
    private static final long SEED = 0x9E3779B97F4A7C15L;

    private final int renames;
    private final ProviderSummaries summaries;

    public TreeWriter(FleetView view) {
        this.renames = view.resourceClasses().renames();
        this.summaries = new ProviderSummaries(view, Summaries.TREES, new int[0]);
    }

    /** Writes the members {@code replica} and {@code position}, which identify the view that a response shows. */
    static void beginAnswer(FleetView view, JsonBytes out) {
        out.put("{\"replica\":\"").put(view.lineage()).put("\",\"position\":").put(view.version());
    }

    long version(ProviderTree tree) {
        return tree.contentVersion(renames, _ -> hash(providers(tree)));
    }

    /** Returns whether {@link #version} has to write the tree first. */
    boolean isNew(ProviderTree tree) {
        return !tree.hasContentVersion(renames);
    }

    byte[] write(ProviderTree tree) {
        byte[] providers = providers(tree);
        return new JsonBytes()
                .put("{\"id\":").put(tree.root().id())
                .put(",\"version\":").put(tree.contentVersion(renames, _ -> hash(providers)))
                .put(",\"providers\":").put(providers).put('}')
                .toByteArray();
    }

    byte[] write(ChangedTree changed) {
        return changed.json(renames, this::write);
    }

    /** Writes like {@link #write(ProviderTree)}, with further members for each provider. */
    public byte[] write(ProviderTree tree, BiConsumer<Provider, JsonBytes> further) {
        return new JsonBytes()
                .put("{\"id\":").put(tree.root().id())
                .put(",\"version\":").put(version(tree))
                .put(",\"providers\":").put(providers(tree, further)).put('}')
                .toByteArray();
    }

    private byte[] providers(ProviderTree tree) {
        return providers(tree, (_, _) -> {});
    }

    private byte[] providers(ProviderTree tree, BiConsumer<Provider, JsonBytes> further) {
        JsonBytes out = new JsonBytes().put('[');
        for (int node = 0; node < tree.size(); node++) {
            Provider provider = tree.node(node);
            out.next().put("{\"id\":").put(provider.id()).put(",\"uuid\":").put(provider.uuid()).put(",\"parent\":");
            if (provider.isRoot()) {
                out.put("null");
            } else {
                out.put(provider.parentId());
            }
            summaries.writeContent(provider, out);
            further.accept(provider, out);
            out.put('}');
        }
        return out.put(']').toByteArray();
    }

    /**
     * A 64-bit hash; a changed byte changes each of its bits with the same chance. The algorithm must not change,
     * because versions of different replicas are compared.
     */
    static long hash(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes);
        long hash = SEED ^ bytes.length;
        while (words.remaining() >= Long.BYTES) {
            hash = mixed(hash ^ words.getLong());
        }
        long rest = 0;
        while (words.hasRemaining()) {
            rest = rest << Byte.SIZE | words.get() & 0xff;
        }
        return mixed(hash ^ rest);
    }

    /** Source: Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014. */
    private static long mixed(long word) {
        long z = word + SEED;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
