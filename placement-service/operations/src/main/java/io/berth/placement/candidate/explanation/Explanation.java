package io.berth.placement.candidate.explanation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.json.Timestamps;
import io.berth.placement.candidate.explanation.Obstacle.Code;
import io.berth.placement.candidate.explanation.Obstacle.Measure;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.CandidateSearch;
import io.berth.placement.candidate.search.CandidateSearch.Progress;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * Explains why a query has its candidates, or none. The explanation runs the same search as {@code GET
 * /allocation_candidates}, and depends only on the view (an immutable snapshot of the fleet), the request, the options
 * and {@code random}. If the time is up, the response becomes too large, or a tree has too many combinations to try,
 * the explanation lacks something and is marked as incomplete.
 *
 * <p>A tree is a candidate if the search finds at least one allocation candidate of the tree, even if the query's limit
 * cuts it from the response. Not thread-safe; one object renders one explanation.
 */
public final class Explanation {
    /** The counts of an explanation, which a pass over all trees computes. */
    public enum Counts {
        /**
         * Nothing: there is no pass over all trees. The explanation lists only the obstacles of the trees of named
         * providers, and does not detect that the limit of candidates cuts a tree.
         */
        NOTHING,
        /** The trees that are candidates, and those of them that the limit of candidates cuts. */
        TREES,
        /** As {@code TREES}, and in addition the counts by demand and the relaxations. */
        DEMANDS;

        /** Returns whether these counts contain the other ones. */
        boolean include(Counts other) {
            return compareTo(other) >= 0;
        }
    }

    /**
     * The parameters of an explanation.
     *
     * @param providers providers whose trees are explained; if empty, the trees nearest to being a candidate are
     *         explained
     * @param providersMax the most trees to explain if {@code providers} is empty
     * @param relaxationsMax the most relaxations, 0 to 5
     * @param namesProviders whether the counts by demand name providers; if false, no trees may be explained, because
     *         their providers are named
     */
    public record Request(
            CandidateQuery query, Counts counts, List<Provider> providers, int providersMax, int relaxationsMax,
            boolean namesProviders) {
        public Request {
            providers = List.copyOf(providers);
        }
    }

    private record Explained(Provider root, TreeObstacles.Found found) {}

    private final FleetView view;
    private final Request request;
    private final CandidateOptions options;
    private final @Nullable RandomGenerator random;
    private final long bytesMax;
    private final BooleanSupplier timeIsUp;
    private final Demands demands;
    private final Probes probes;
    private final Neighbors neighbors;
    private final DemandCounts counts;
    private final BlockedTrees blocked = new BlockedTrees();
    /** The trees that are candidates, as slots: indexes of trees in the view. */
    private final BitSet candidates = new BitSet();
    /** Slots of the candidates that a response of the query contains: all, unless the limit cuts some. */
    private BitSet withinLimit = candidates;
    /** The reasons for which the explanation is incomplete, as sentences for the client. */
    private final List<String> gaps = new ArrayList<>();
    /** The number of trees in the view. */
    private int treeCount;
    /** The number of trees that were evaluated before the time was up. */
    private int evaluatedCount;

    /**
     * @param random source of the random order of the search, on which depends what the limit cuts; null unless the
     *         options require random order
     * @param bytesMax approximate limit of the size of all obstacles, in bytes; beyond it, further trees are not
     *         explained
     * @param timeIsUp returns true when the explanation must end; polled on the caller's thread
     * @throws io.berth.placement.http.ApiException 400 if the query names a resource class or trait that does not exist
     *         in the view
     */
    public Explanation(
            FleetView view, Request request, CandidateOptions options, @Nullable RandomGenerator random, long bytesMax,
            BooleanSupplier timeIsUp) {
        // Throws for names that do not exist.
        ResolvedQuery.of(view, request.query());
        this.view = view;
        this.request = request;
        this.options = options;
        this.random = random;
        this.bytesMax = bytesMax;
        this.timeIsUp = timeIsUp;
        this.demands = new Demands(view, request.query());
        this.probes = new Probes(view, demands, timeIsUp);
        this.neighbors = new Neighbors(view);
        this.counts = new DemandCounts(demands, neighbors);
    }

    /**
     * Computes the explanation and returns its JSON. Call it once, on a worker thread.
     *
     * @param time the time at which the view was fresh
     */
    public byte[] render(Instant time) {
        if (request.counts().include(Counts.TREES)) {
            countTrees();
            applyLimit();
        }
        List<Explained> providers = explainProviders();
        Relaxations.Found relaxations = relax();
        return Json.writeObject(json -> {
            json.writeObjectFieldStart("as_of");
            json.writeStringField("replica", view.lineage());
            json.writeNumberField("fleet_version", view.version());
            json.writeNullField("registry_version");
            json.writeStringField("time", Timestamps.text(time));
            json.writeEndObject();
            if (request.counts().include(Counts.TREES)) {
                json.writeNumberField("roots", treeCount);
                json.writeNumberField("candidates", candidates.cardinality());
                json.writeNumberField("answered", withinLimit.cardinality());
            }
            json.writeBooleanField("complete", gaps.isEmpty());
            JsonLists.writeTexts(json, "gaps", gaps);
            if (request.counts() == Counts.DEMANDS) {
                writeCounts(json, relaxations);
            }
            JsonLists.writeObjects(json, "providers", providers, each -> {
                json.writeStringField("root", each.root().uuid().toString());
                json.writeStringField("name", each.root().name());
                json.writeBooleanField("complete", each.found().isComplete());
                JsonLists.writeObjects(json, "obstacles", each.found().obstacles(), obstacle -> obstacle.write(json));
            });
        });
    }

    private void writeCounts(JsonGenerator json, Relaxations.Found relaxations) throws IOException {
        JsonLists.writeObjects(json, "demands", counts.list(), count -> write(json, count));
        JsonLists.writeObjects(json, "relaxations", relaxations.list(), each -> {
            JsonLists.writeTexts(json, "without", each.without());
            json.writeNumberField("candidates", each.candidates());
            json.writeStringField("query", each.query());
        });
    }

    /** Returns whether the explanation is complete. Call it after {@link #render}. */
    public boolean isComplete() {
        return gaps.isEmpty();
    }

    /**
     * Evaluates all trees until the time is up: counts the demands that they meet, if requested, and divides them into
     * candidates and blocked trees.
     */
    private void countTrees() {
        int unknownCount = 0;
        boolean isOver = false;
        for (int slot = 0; slot < view.slotCount(); slot++) {
            ProviderTree tree = view.findTree(slot);
            if (tree == null) {
                continue;
            }
            treeCount++;
            isOver = isOver || timeIsUp.getAsBoolean();
            if (isOver) {
                continue;
            }
            evaluatedCount++;
            BitSet unmet = request.counts() == Counts.DEMANDS ? counts.count(tree) : new BitSet();
            if (!unmet.isEmpty()) {
                blocked.add(unmet, slot);
                continue;
            }
            switch (probes.searchWithout(tree, unmet)) {
                case HAS_CANDIDATE -> candidates.set(slot);
                case HAS_NONE -> blocked.add(unmet, slot);
                case UNKNOWN -> unknownCount++;
            }
        }
        if (evaluatedCount < treeCount) {
            gaps.add("time: only %d of %d trees were evaluated".formatted(evaluatedCount, treeCount));
        }
        if (unknownCount > 0) {
            gaps.add("combinations: the search of %d trees ended at a limit of steps, time or memory"
                    .formatted(unknownCount));
        }
    }

    /** Determines which trees the limit of candidates cuts, by running the search. */
    private void applyLimit() {
        ResolvedQuery resolved =
                limit() == CandidateQuery.NO_LIMIT ? null : ResolvedQuery.of(view, request.query());
        if (resolved == null || candidates.isEmpty()) {
            return;
        }
        var foundSlots = new BitSet();
        int[] candidateCount = {0};
        var search = new CandidateSearch(view, resolved, options, random, (anchor, providers) -> {
            foundSlots.set(view.slotOf(anchor.root()));
            candidateCount[0]++;
            return true;
        });
        Progress progress = Progress.PAUSED;
        while (progress == Progress.PAUSED && !timeIsUp.getAsBoolean()) {
            progress = search.run(100_000);
        }
        if (progress == Progress.DONE && candidateCount[0] == limit()) {
            withinLimit = foundSlots;
        } else if (progress != Progress.DONE) {
            gaps.add("limit: the search ended before it found which trees the limit cuts");
        }
    }

    /**
     * Finds the obstacles of the named trees, or of the nearest ones if none is named, until the time is up or the
     * obstacles exceed the limit of bytes.
     */
    private List<Explained> explainProviders() {
        List<ProviderTree> trees = request.providers().isEmpty() ? nearestTrees() : namedTrees();
        var obstacles = new TreeObstacles(view, demands, neighbors, probes, timeIsUp);
        List<Explained> explained = new ArrayList<>();
        long bytes = 0;
        for (ProviderTree tree : trees) {
            if (timeIsUp.getAsBoolean() || bytes > bytesMax) {
                gaps.add("providers: %d of %d are listed".formatted(explained.size(), trees.size()));
                break;
            }
            TreeObstacles.Found found = obstacles.of(tree);
            // The tree is a candidate, but the limit cuts it. That is known only if all trees were evaluated.
            if (request.counts().include(Counts.TREES) && evaluatedCount == treeCount && found.obstacles().isEmpty()
                    && found.isComplete()
                    && !withinLimit.get(view.slotOf(tree.root()))) {
                found = new TreeObstacles.Found(List.of(cutByLimit()), true);
            }
            // An estimate of the size of the tree's obstacles in the response.
            bytes += 200 + found.obstacles().stream().mapToLong(each -> 4L * each.text().length() + 400).sum();
            explained.add(new Explained(tree.root(), found));
        }
        if (explained.stream().anyMatch(each -> !each.found().isComplete())) {
            gaps.add("providers: not all obstacles were found within the limits of time, steps and memory");
        }
        return explained;
    }

    private List<ProviderTree> namedTrees() {
        Set<Integer> slots = new LinkedHashSet<>();
        request.providers().forEach(provider -> slots.add(view.slotOf(provider)));
        return slots.stream().map(view::tree).toList();
    }

    /**
     * Returns at most {@link Request#providersMax} trees that a response of the query does not contain, the nearest to
     * being a candidate first: those with the fewest unmet demands, and of these the ones whose first unmet demand
     * comes last. Trees that the limit cuts come after all others. Trees that were not evaluated completely are not
     * returned. Without counts by demand, unmet demands are unknown, so the order is that of the view.
     */
    private List<ProviderTree> nearestTrees() {
        List<ProviderTree> trees = new ArrayList<>();
        List<Map.Entry<BitSet, BlockedTrees.Trees>> sorted = blocked.byUnmet().entrySet().stream()
                .sorted(Comparator.<Map.Entry<BitSet, BlockedTrees.Trees>>comparingInt(
                        each -> each.getKey().cardinality())
                        .thenComparingInt(each -> -each.getKey().nextSetBit(0))
                        .thenComparing(each -> each.getKey().toString()))
                .toList();
        for (Map.Entry<BitSet, BlockedTrees.Trees> group : sorted) {
            PrimitiveIterator.OfInt slots = group.getValue().slots();
            while (trees.size() < request.providersMax() && slots.hasNext()) {
                trees.add(view.tree(slots.nextInt()));
            }
        }
        var cut = (BitSet) candidates.clone();
        cut.andNot(withinLimit);
        cut.stream().limit(request.providersMax() - trees.size()).forEach(slot -> trees.add(view.tree(slot)));
        return trees;
    }

    /** Returns the most candidates in a response: the query's limit or the operator's maximum, whichever is lower. */
    private int limit() {
        return options.candidatesMax() == CandidateOptions.NO_MAXIMUM
                ? request.query().limit()
                : Math.min(options.candidatesMax(), request.query().limit());
    }

    /** Returns the obstacle of a candidate that the limit cuts. */
    private Obstacle cutByLimit() {
        return new Obstacle(
                (limit() < request.query().limit() ? "max_allocation_candidates=" : "limit=") + limit(),
                Code.CUT_BY_LIMIT, List.of(), new Measure.Units(limit()), new Measure.Units(candidates.cardinality()),
                null, null);
    }

    /** Finds relaxations, if requested. Finds none, and returns an incomplete result, if trees were not evaluated. */
    private Relaxations.Found relax() {
        if (request.relaxationsMax() == 0 || request.counts() != Counts.DEMANDS) {
            return new Relaxations.Found(List.of(), true);
        }
        if (evaluatedCount < treeCount) {
            return new Relaxations.Found(List.of(), false);
        }
        var found = new Relaxations(view, demands, blocked, candidates, timeIsUp)
                .find(Math.min(request.relaxationsMax(), Relaxations.RELAXATIONS_MAX));
        if (!found.isComplete()) {
            gaps.add("relaxations: the search ended early; there may be others that are as small or smaller");
        }
        return found;
    }

    private void write(JsonGenerator json, DemandCount count) throws IOException {
        Demand demand = count.demand;
        json.writeStringField("demand", demand.text());
        json.writeStringField("group", demand.suffix());
        json.writeNumberField("alone", count.alone);
        json.writeNumberField("suitable", count.suitable);
        json.writeNumberField("after_all_before", count.afterAllBefore);
        if (request.namesProviders()) {
            JsonLists.writeObjects(json, "removed", count.removed, root -> {
                json.writeStringField("root", root.uuid().toString());
                json.writeStringField("name", root.name());
            });
        }
        if (demand.isAmount()) {
            json.writeStringField("obstacle", count.obstacle());
            Provider nearest = count.nearest();
            if (nearest != null && request.namesProviders()) {
                write(json, nearest, demand.classId());
            }
        }
    }

    private static void write(JsonGenerator json, Provider nearest, int classId) throws IOException {
        Inventories inventories = nearest.inventories();
        int at = inventories.find(classId);
        Inventory inventory = inventories.get(at);
        json.writeObjectFieldStart("nearest");
        json.writeStringField("provider", nearest.uuid().toString());
        json.writeStringField("name", nearest.name());
        json.writeNumberField("capacity", (long) Inventory.truncate(inventory.capacity()));
        json.writeNumberField("used", inventories.used()[at]);
        json.writeNumberField("free", inventories.free(at));
        json.writeNumberField("reserved", inventory.reserved());
        json.writeNumberField("allocation_ratio", inventory.allocationRatio());
        json.writeNumberField("min_unit", inventory.minUnit());
        json.writeNumberField("max_unit", inventory.maxUnit());
        json.writeNumberField("step_size", inventory.stepSize());
        json.writeEndObject();
    }
}
