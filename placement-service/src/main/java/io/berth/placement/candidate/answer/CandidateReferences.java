package io.berth.placement.candidate.answer;

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
 * Renders candidates as references to trees that the client has cached or can fetch.
 *
 * <p>The body is {@code {"replica", "position", "parts", "classes", "trees", "requests", "changed"}}:
 * <ul>
 * <li>{@code replica}, {@code position}: the view that the response shows, {@link FleetView#lineage} and {@link
 * FleetView#version};
 * <li>{@code parts}: the parts of the query, each served by one provider, {@code {"group": suffix, "resources": {class:
 * amount}}};
 * <li>{@code classes}: the resource classes of all parts, each once, in the order in which a plain response's
 * allocations name them;
 * <li>{@code trees}: in Base64 the id of the root and the version of the tree ({@link TreeWriter}), 8 bytes big-endian
 * each, in the order in which candidates first take from the trees;
 * <li>{@code requests}: {@code [position in trees, [[provider id for each part], ...]]} for each tree. A tree is
 * omitted if it has a single request, in which its root gives all parts. A request that takes from several trees
 * (sharing providers) is listed for each of them. Trees that only serve a part without resources come last and have an
 * empty list; they are listed because mappings name their uuids;
 * <li>{@code changed}: in full, the trees that changed after the client's position (see {@link
 * FleetView#changedAfter}). For a scenario: the trees of the response that differ from the present fleet.
 * </ul>
 */
public final class CandidateReferences implements AnswerBody {
    /** The approximate bytes of one tree, in memory and in the response. */
    private static final int TREE_BYTES = 48;
    /** The approximate bytes of one provider of a request, in memory and in the response. */
    private static final int PART_BYTES = 32;
    /** The size after which no further changed tree is added; the client can fetch the rest. */
    private static final int CHANGED_BYTES_MAX = 1 << 20;

    private final FleetView view;
    private final ResolvedQuery query;
    private final List<ChangedTree> changed;
    /** The fleet that a scenario is compared with; null if the query is not about a scenario. */
    private final @Nullable FleetView present;
    private final long bytesMax;
    private final TreeWriter writer;
    private final JsonBytes out = new JsonBytes();
    private final List<ProviderTree> trees = new ArrayList<>();
    /**
     * The requests of each tree, by position in {@code trees}. A tree without an entry has one request, in which its
     * root gives all parts.
     */
    private final Map<Integer, List<long[]>> requests = new TreeMap<>();
    /**
     * The position of each tree in {@code trees}; null while every request takes all parts from the root of its tree.
     */
    private @Nullable IdentityHashMap<ProviderTree, Integer> positions;
    /** Trees with a provider that serves a part without resources: a plain response names its uuid. */
    private final Set<ProviderTree> giveNothing = new LinkedHashSet<>();
    private long partCount;

    /**
     * @param changed trees that are added in full
     * @param bytesMax limit of the response, in bytes; a larger one is not completed
     */
    CandidateReferences(FleetView view, ResolvedQuery query, List<ChangedTree> changed, long bytesMax) {
        this(view, query, changed, null, bytesMax);
    }

    private CandidateReferences(
            FleetView view, ResolvedQuery query, List<ChangedTree> changed, @Nullable FleetView present, long bytesMax) {
        this.view = view;
        this.query = query;
        this.changed = changed;
        this.present = present;
        this.bytesMax = bytesMax;
        this.writer = new TreeWriter(view);
    }

    /**
     * Returns the whole body for a scenario; null if the time is up before the search ends.
     *
     * @param view the scenario based on {@code present}, or {@code present} itself
     * @throws ApiException 400 for a name that the view does not know, and for a response that would be too large
     */
    public static @Nullable byte[] write(
            FleetView view, FleetView present, CandidateQuery query, CandidateOptions options,
            @Nullable RandomGenerator random, long bytesMax, BooleanSupplier timeIsUp) {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        if (resolved == null) {
            return nothing(view, List.of()).toByteArray();
        }
        var answer = new CandidateReferences(view, resolved, List.of(), present, bytesMax);
        SearchTask.Outcome outcome = new SearchTask(view, resolved, options, random, answer).finish(timeIsUp);
        return outcome == null ? null : outcome.bytes(bytesMax).toByteArray();
    }

    /** Renders whole trees as a JSON list. */
    public static byte[] write(FleetView view, List<ChangedTree> changed) {
        JsonBytes out = new JsonBytes().put('[');
        write(new TreeWriter(view), changed, out);
        return out.put(']').toByteArray();
    }

    /** Renders the body of a query that no provider can serve. */
    static JsonBytes nothing(FleetView view, List<ChangedTree> changed) {
        JsonBytes out = new JsonBytes();
        TreeWriter.beginAnswer(view, out);
        out.put(",\"parts\":[],\"classes\":[],\"trees\":\"\",\"requests\":[],\"changed\":[");
        write(new TreeWriter(view), changed, out);
        return out.put("]}");
    }

    @Override
    public boolean take(ProviderTree anchor, Provider[] providers) {
        if (positions == null && anchor.size() == 1 && isAll(providers, anchor.root())) {
            trees.add(anchor);
            return !isTooLarge();
        }
        if (positions == null) {
            positions = new IdentityHashMap<>();
            trees.forEach(tree -> positions.put(tree, positions.size()));
        }
        long[] ids = Arrays.stream(providers).mapToLong(Provider::id).toArray();
        for (int part = 0; part < providers.length; part++) {
            boolean isAnchors = providers[part].rootId() == anchor.root().id();
            ProviderTree tree = isAnchors ? anchor : view.treeOf(providers[part]);
            if (query.isFirstTaking(part, providers)) {
                add(tree, ids);
            } else if (query.parts()[part].classIds().length == 0) {
                giveNothing.add(tree);
            }
        }
        return !isTooLarge();
    }

    @Override
    public boolean takeAlone(ProviderTree anchor, Provider[] providers) {
        if (positions != null) {
            return AnswerBody.super.takeAlone(anchor, providers);
        }
        trees.add(anchor);
        return !isTooLarge();
    }

    private static boolean isAll(Provider[] providers, Provider one) {
        for (Provider provider : providers) {
            if (provider != one) {
                return false;
            }
        }
        return true;
    }

    private void add(ProviderTree tree, long[] ids) {
        List<long[]> ofTree = requests.computeIfAbsent(position(tree), _ -> new ArrayList<>(List.of(allFrom(tree.root()))));
        if (ofTree.isEmpty() || ofTree.getLast() != ids) {
            ofTree.add(ids);
            partCount += ids.length;
        }
    }

    private int position(ProviderTree tree) {
        Integer known = positions.get(tree);
        if (known != null) {
            return known;
        }
        int position = trees.size();
        trees.add(tree);
        positions.put(tree, position);
        requests.put(position, new ArrayList<>(1));
        return position;
    }

    private long[] allFrom(Provider root) {
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
            count += writer.isNew(tree) ? tree.size() : 0;
        }
        for (ChangedTree tree : changed) {
            count += tree.tree().size();
        }
        return count;
    }

    @Override
    public JsonBytes finish() {
        TreeWriter.beginAnswer(view, out);
        out.put(",\"parts\":[");
        for (GroupPart part : query.parts()) {
            writePart(part);
        }
        out.put("],\"classes\":[");
        for (int classId : query.classIds()) {
            out.next().put(className(classId));
        }
        // Appends these trees after those that requests take from, as in a plain response.
        giveNothing.forEach(this::position);
        out.put("],\"trees\":\"");
        if (!trees.isEmpty()) {
            out.put(references());
        }
        out.put("\",\"requests\":[");
        requests.forEach(this::writeRequests);
        out.put("],\"changed\":[");
        write(writer, changed, out);
        if (present != null && present != view) {
            trees.stream().filter(this::isOfScenario).forEach(tree -> out.next().put(writer.write(tree)));
        }
        return out.put("]}");
    }

    private boolean isOfScenario(ProviderTree tree) {
        Provider root = present.find(tree.root().uuid());
        return root == null || present.treeOf(root) != tree;
    }

    private static void write(TreeWriter writer, List<ChangedTree> changed, JsonBytes out) {
        long bytes = 0;
        for (int i = 0; i < changed.size() && bytes < CHANGED_BYTES_MAX; i++) {
            byte[] tree = writer.write(changed.get(i));
            out.next().put(tree);
            bytes += tree.length;
        }
    }

    private void writePart(GroupPart part) {
        out.next().put("{\"group\":").put(Json.quoted(part.suffix())).put(",\"resources\":{");
        for (int i = 0; i < part.classIds().length; i++) {
            out.next().put(className(part.classIds()[i])).put(':').put(part.amounts()[i]);
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

    private void writeRequests(int position, List<long[]> ofTree) {
        if (ofTree.size() == 1 && Arrays.equals(ofTree.getFirst(), allFrom(trees.get(position).root()))) {
            return;
        }
        out.next().put("[").put(position).put(",[");
        for (long[] ids : ofTree) {
            out.next().put('[');
            for (long id : ids) {
                out.next().put(id);
            }
            out.put(']');
        }
        out.put("]]");
    }
}
