package io.berth.placement.candidate.response;

import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.GroupPart;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.ChangedTree;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Renders allocation candidates as references to provider trees. The client has cached these trees or can fetch them
 * from {@link ProviderTreesEndpoint}.
 *
 * <p>The body is {@code {"replica", "position", "parts", "classes", "trees", "requests", "changed"}}:
 * <ul>
 * <li>{@code replica}, {@code position}: {@link FleetView#lineage} and {@link FleetView#version} of the view that was
 * searched;
 * <li>{@code parts}: the parts of the query, each served by one provider: {@code {"group": suffix, "resources": {class:
 * amount}}};
 * <li>{@code classes}: the resource classes of all parts, each once, in their order in the allocations of {@code GET
 * /allocation_candidates};
 * <li>{@code trees}: the trees that candidates take resources from, in the order in which the search found them; then
 * the trees that serve only parts without resources; the client needs these for the uuids of their providers in the
 * mappings. Each tree has 16 bytes, all together in Base64: the id of its root, and its version ({@link TreeWriter}),
 * each 8 bytes big-endian;
 * <li>{@code requests}: for each tree {@code [index in trees, [request, ...]]}. A request stands for an allocation
 * request and is {@code [provider id for each part]}. The entry of a tree is omitted if the tree has a single request
 * in which its root serves all parts. A request that takes from several trees, because of sharing providers, is listed
 * for each of them. The list of a tree that serves only parts without resources is empty;
 * <li>{@code changed}: the content of the trees that changed after the client's position (see {@link
 * FleetView#changedAfter}), up to about 1 MiB; the client can fetch the remaining trees. For a scenario, instead, the
 * content of all trees of the response that differ from the present fleet.
 * </ul>
 */
public final class CandidateReferences implements CandidatesBody {
    /** The approximate bytes of one tree, in memory and in the response. */
    private static final int TREE_BYTES = 48;
    /** The approximate bytes of one provider of a request, in memory and in the response. */
    private static final int PART_BYTES = 32;
    /** The size in bytes after which no further changed tree is added. The client can fetch the remaining trees. */
    private static final int CHANGED_BYTES_MAX = 1 << 20;

    private final FleetView view;
    private final ResolvedQuery query;
    private final List<ChangedTree> changed;
    /** The present fleet, with which a scenario is compared; null outside of scenarios. */
    private final @Nullable FleetView present;
    private final long bytesMax;
    private final TreeWriter writer;
    private final JsonBytes out = new JsonBytes();
    private final List<ProviderTree> trees = new ArrayList<>();
    /**
     * The requests of each tree, by index in {@code trees}; a request has the provider id for each part. A tree without
     * an entry has one request, in which its root serves all parts; a tree that serves only parts without resources has
     * an empty entry.
     */
    private final Map<Integer, List<long[]>> requests = new TreeMap<>();
    /**
     * The index of each tree in {@code trees}. Null while each candidate is a tree of one provider, which serves all
     * parts: the common case, in which the index is not needed, and no tree has an entry in {@code requests}.
     */
    private @Nullable IdentityHashMap<ProviderTree, Integer> indexByTree;
    /** Trees with a provider that serves a part without resources, in the order in which the search found them. */
    private final Set<ProviderTree> resourcelessTrees = new LinkedHashSet<>();
    /** The number of provider ids in all requests. */
    private long partCount;

    /**
     * @param changed trees whose content is added
     * @param bytesMax limit of the response, in bytes; see {@link CandidatesBody#isTooLarge}
     */
    CandidateReferences(FleetView view, ResolvedQuery query, List<ChangedTree> changed, long bytesMax) {
        this(view, query, changed, null, bytesMax);
    }

    private CandidateReferences(
            FleetView view, ResolvedQuery query, List<ChangedTree> changed, @Nullable FleetView present,
            long bytesMax) {
        this.view = view;
        this.query = query;
        this.changed = changed;
        this.present = present;
        this.bytesMax = bytesMax;
        this.writer = new TreeWriter(view);
    }

    /**
     * Searches, and returns the body for a scenario; null if {@code timeIsUp} returns true before the search ends. Call
     * it on a worker thread.
     *
     * @param view the scenario based on {@code present}, or {@code present} itself
     * @throws io.berth.placement.http.ApiException 400 if the query names a resource class or trait that does not
     *         exist, if the request groups can be combined in too many ways, or if the response would exceed {@code
     *         bytesMax}
     */
    public static @Nullable byte[] search(
            FleetView view, FleetView present, CandidateQuery query, CandidateOptions options,
            @Nullable RandomGenerator random, long bytesMax, BooleanSupplier timeIsUp) {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        if (resolved == null) {
            return emptyBody(view, List.of()).toByteArray();
        }
        var body = new CandidateReferences(view, resolved, List.of(), present, bytesMax);
        SearchTask.Outcome outcome = new SearchTask(view, resolved, options, random, body).finish(timeIsUp);
        return outcome == null ? null : outcome.bytes(bytesMax).toByteArray();
    }

    /** Renders the content of trees as a JSON list, see {@link TreeWriter}. */
    public static byte[] renderTrees(FleetView view, List<ChangedTree> changed) {
        JsonBytes out = new JsonBytes().put('[');
        writeTrees(new TreeWriter(view), changed, out);
        return out.put(']').toByteArray();
    }

    /** Renders the body for a query that no provider can serve. */
    static JsonBytes emptyBody(FleetView view, List<ChangedTree> changed) {
        JsonBytes out = new JsonBytes();
        TreeWriter.beginResponse(view, out);
        out.put(",\"parts\":[],\"classes\":[],\"trees\":\"\",\"requests\":[],\"changed\":[");
        writeTrees(new TreeWriter(view), changed, out);
        return out.put("]}");
    }

    @Override
    public boolean receive(ProviderTree anchor, Provider[] providers) {
        if (indexByTree == null && anchor.size() == 1 && areAll(providers, anchor.root())) {
            trees.add(anchor);
            return !isTooLarge();
        }
        // Creates the index. From here on, receiveAlone passes its candidates to this method, because it must not add a
        // tree without an index.
        indexByTree();
        long[] ids = Arrays.stream(providers).mapToLong(Provider::id).toArray();
        for (int part = 0; part < providers.length; part++) {
            boolean isInAnchor = providers[part].rootId() == anchor.root().id();
            ProviderTree tree = isInAnchor ? anchor : view.treeOf(providers[part]);
            if (query.isFirstPartToTakeFrom(part, providers)) {
                add(tree, ids);
            } else if (query.parts()[part].classIds().length == 0) {
                resourcelessTrees.add(tree);
            }
        }
        return !isTooLarge();
    }

    @Override
    public boolean receiveAlone(ProviderTree anchor, Provider[] providers) {
        if (indexByTree != null) {
            return CandidatesBody.super.receiveAlone(anchor, providers);
        }
        trees.add(anchor);
        return !isTooLarge();
    }

    private static boolean areAll(Provider[] providers, Provider expected) {
        for (Provider provider : providers) {
            if (provider != expected) {
                return false;
            }
        }
        return true;
    }

    private void add(ProviderTree tree, long[] ids) {
        // A tree taken before the index existed has one request, in which its root serves all parts.
        List<long[]> treeRequests =
                requests.computeIfAbsent(indexOf(tree), _ -> new ArrayList<>(List.of(rootForAllParts(tree.root()))));
        // If the last request is the same array, an earlier part of the same candidate has added it.
        if (treeRequests.isEmpty() || treeRequests.getLast() != ids) {
            treeRequests.add(ids);
            partCount += ids.length;
        }
    }

    /** Returns {@link #indexByTree}. Creates it on first use. */
    private IdentityHashMap<ProviderTree, Integer> indexByTree() {
        IdentityHashMap<ProviderTree, Integer> map = indexByTree;
        if (map == null) {
            map = new IdentityHashMap<>();
            for (ProviderTree tree : trees) {
                map.put(tree, map.size());
            }
            indexByTree = map;
        }
        return map;
    }

    private int indexOf(ProviderTree tree) {
        IdentityHashMap<ProviderTree, Integer> indexByTree = indexByTree();
        Integer index = indexByTree.get(tree);
        if (index != null) {
            return index;
        }
        int newIndex = trees.size();
        trees.add(tree);
        indexByTree.put(tree, newIndex);
        requests.put(newIndex, new ArrayList<>(1));
        return newIndex;
    }

    private long[] rootForAllParts(Provider root) {
        long[] ids = new long[query.parts().length];
        Arrays.fill(ids, root.id());
        return ids;
    }

    @Override
    public boolean isTooLarge() {
        return (long) TREE_BYTES * trees.size() + PART_BYTES * partCount + out.length() > bytesMax;
    }

    @Override
    public long summaryCount() {
        long count = 0;
        for (ProviderTree tree : trees) {
            count += writer.hasNoCachedVersion(tree) ? tree.size() : 0;
        }
        for (ChangedTree tree : changed) {
            count += tree.tree().size();
        }
        return count;
    }

    @Override
    public JsonBytes finish() {
        TreeWriter.beginResponse(view, out);
        out.put(",\"parts\":[");
        for (GroupPart part : query.parts()) {
            writePart(part);
        }
        out.put("],\"classes\":[");
        for (int classId : query.classIds()) {
            out.beginElement().put(className(classId));
        }
        // Trees that serve only parts without resources come after the trees that requests take from.
        resourcelessTrees.forEach(this::indexOf);
        out.put("],\"trees\":\"");
        if (!trees.isEmpty()) {
            out.put(references());
        }
        out.put("\",\"requests\":[");
        requests.forEach(this::writeRequests);
        out.put("],\"changed\":[");
        writeTrees(writer, changed, out);
        if (present != null && present != view) {
            writeTreesOfScenario(present);
        }
        return out.put("]}");
    }

    /** Writes the trees that differ from the present fleet. Stops if the body is too large: it is refused then. */
    private void writeTreesOfScenario(FleetView present) {
        for (ProviderTree tree : trees) {
            if (isTooLarge()) {
                return;
            }
            if (isOfScenario(present, tree)) {
                out.beginElement().put(writer.write(tree));
            }
        }
    }

    private boolean isOfScenario(FleetView present, ProviderTree tree) {
        Provider root = present.find(tree.root().uuid());
        return root == null || present.treeOf(root) != tree;
    }

    private static void writeTrees(TreeWriter writer, List<ChangedTree> changed, JsonBytes out) {
        long bytes = 0;
        for (int i = 0; i < changed.size() && bytes < CHANGED_BYTES_MAX; i++) {
            byte[] tree = writer.write(changed.get(i));
            out.beginElement().put(tree);
            bytes += tree.length;
        }
    }

    private void writePart(GroupPart part) {
        out.beginElement().put("{\"group\":").put(Json.quoted(part.suffix())).put(",\"resources\":{");
        for (int i = 0; i < part.classIds().length; i++) {
            out.beginElement().put(className(part.classIds()[i])).put(':').put(part.amounts()[i]);
        }
        out.put("}}");
    }

    private byte[] className(int classId) {
        return Json.quoted(view.resourceClasses().name(classId));
    }

    private byte[] references() {
        ByteBuffer all = ByteBuffer.allocate(2 * Long.BYTES * trees.size());
        for (ProviderTree tree : trees) {
            all.putLong(tree.rootId()).putLong(writer.version(tree));
        }
        return Base64.getEncoder().encode(all.array());
    }

    private void writeRequests(int index, List<long[]> treeRequests) {
        if (treeRequests.size() == 1
                && Arrays.equals(treeRequests.getFirst(), rootForAllParts(trees.get(index).root()))) {
            return;
        }
        out.beginElement().put("[").put(index).put(",[");
        for (long[] ids : treeRequests) {
            out.beginElement().put('[');
            for (long id : ids) {
                out.beginElement().put(id);
            }
            out.put(']');
        }
        out.put("]]");
    }
}
