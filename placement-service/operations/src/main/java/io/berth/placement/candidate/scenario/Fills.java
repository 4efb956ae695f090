package io.berth.placement.candidate.scenario;

import io.berth.placement.candidate.response.JsonBytes;
import io.berth.placement.candidate.response.RequestWriter;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.candidate.search.SearchMemory;
import io.berth.placement.candidate.search.TreeFill;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Counts how many times each query could be claimed in each tree, as if the tree were alone ({@link TreeFill}). The
 * outer loop is over the trees, so that the data of a tree is in the processor's cache for all queries. Each count is
 * rendered at once, so that the counts take no more memory than the response.
 */
final class Fills {
    /** The number of trees between two checks of the time and of the size of the response. */
    private static final int TREES_PER_CHECK = 64;
    /** The bytes of a sharing provider in the response: its uuid with quotes and comma, which may be listed twice. */
    private static final long SHARING_BYTES = 2 * 39;

    private final FleetView view;
    private final List<QueryResults> resultsByQuery = new ArrayList<>();
    private final BooleanSupplier timeIsUp;
    private final long bytesMax;
    private final JsonBytes roots = new JsonBytes().put('[');
    private int rootCount;

    /** One query and its results so far. The indexes in its JSON refer to the list of roots that all queries share. */
    private static final class QueryResults {
        private final ScenarioQuery.Fill fillQuery;
        /** Counts the trees; null if no tree can serve the query. */
        private final @Nullable TreeFill fill;
        private final @Nullable RequestWriter requests;
        /** The trees to count, as slots (indexes of trees in the view); null for all trees. */
        private final @Nullable BitSet slots;
        /**
         * The names of the limits at which a count may end: the resource classes of the query, and last {@code groups}.
         */
        private final String[] limitNames;
        /** For each element of {@code limitNames}, the number of trees whose count this limit ended. */
        private final int[] stopped;
        /** JSON list: for each listed root the count; -1 if the tree is not suitable or not counted. */
        private final JsonBytes counts = new JsonBytes().put('[');
        /**
         * JSON list: for each listed root the index in {@code limitNames} of the limit that ended the count; -1 if the
         * count is -1, is incomplete, or ended at {@link ScenarioQuery.Fill#max}.
         */
        private final JsonBytes stops = new JsonBytes().put('[');
        /**
         * JSON list: indexes of the listed roots in whose trees a claim may take from providers other than the root.
         */
        private final JsonBytes nested = new JsonBytes().put('[');
        /** JSON list: the allocation requests that {@code allocations} refers to by index. */
        private final JsonBytes templates = new JsonBytes().put('[');
        /**
         * JSON object: by index of the listed root, a list of {@code [index in templates, number of claims]}. Only
         * roots in {@code nested} with a count above 0 have a list.
         */
        private final JsonBytes allocations = new JsonBytes().put('{');
        /** The sharing providers from which claims of any tree take. */
        private final Set<UUID> takenSharing = new LinkedHashSet<>();
        /** For each sharing provider, the index of the first listed root whose tree takes from it or could. */
        private final Map<UUID, Integer> firstTreeOfSharing = new HashMap<>();
        /** The sharing providers from which more than one tree takes or could take. */
        private final Set<UUID> sharingOfSeveralTrees = new HashSet<>();
        private long total;
        private int templateCount;
        /** True if each claim in each tree had only one candidate. */
        private boolean isSingle = true;
        /** The number of trees whose count is incomplete. */
        private int incompleteTrees;
        /** The number of trees that were evaluated before the time was up, unsuitable trees included. */
        private int countedTrees;
        /** The number of trees that this query is to count, whether they were evaluated or not. */
        private int treesToCount;

        QueryResults(FleetView view, ScenarioQuery.Fill fillQuery, SearchMemory memory) {
            this.fillQuery = fillQuery;
            ResolvedQuery query;
            try {
                query = ResolvedQuery.of(view, fillQuery.query());
            } catch (ApiException refused) {
                throw fillQuery.at().get("query").refused(refused);
            }
            fill = query == null ? null : new TreeFill(view, query, memory);
            requests = query == null ? null : new RequestWriter(view, query);
            int[] classIds = fill == null ? new int[0] : fill.classIds();
            limitNames = new String[classIds.length + 1];
            for (int i = 0; i < classIds.length; i++) {
                limitNames[i] = view.resourceClasses().name(classIds[i]);
            }
            limitNames[classIds.length] = "groups";
            stopped = new int[limitNames.length];
            Collection<UUID> roots = fillQuery.roots();
            slots = roots == null ? null : new BitSet();
            if (slots != null && roots != null) {
                for (UUID root : roots) {
                    Provider rootProvider = view.find(root);
                    if (rootProvider != null) {
                        slots.set(view.slotOf(rootProvider));
                    }
                }
            }
        }

        /**
         * Counts the claims in the tree. Returns false if the tree is not suitable for this query or not to be counted.
         */
        boolean countClaims(ProviderTree tree, int slot, BooleanSupplier timeIsUp) {
            if (slots != null && !slots.get(slot)) {
                return false;
            }
            countedTrees++;
            if (fill == null) {
                return false;
            }
            fill.fill(tree, fillQuery.max(), timeIsUp);
            incompleteTrees += fill.isComplete() ? 0 : 1;
            isSingle &= fill.hasNoAlternatives();
            return fill.count() != TreeFill.UNSUITABLE;
        }

        /** Returns whether this query counts the tree in the slot. */
        boolean countsTree(int slot) {
            return fill != null && (slots == null || slots.get(slot));
        }

        /**
         * Renders the result of the tree that was counted last.
         *
         * @param root index of the root in the response
         * @param isCounted false if this query does not count the tree, which is listed for another query
         */
        void write(int root, boolean isCounted) {
            int count = isCounted && fill != null ? fill.count() : TreeFill.UNSUITABLE;
            int stop = isCounted && fill != null ? fill.limitingClass() : TreeFill.NO_LIMITING_CLASS;
            counts.beginElement().put(count);
            stops.beginElement().put(stop);
            if (stop != TreeFill.NO_LIMITING_CLASS) {
                stopped[stop]++;
            }
            if (fill == null || count == TreeFill.UNSUITABLE) {
                return;
            }
            total += count;
            takenSharing.addAll(fill.takenSharing());
            fill.takenSharing().forEach(sharing -> addSharing(sharing, root));
            fill.reachableSharing().forEach(sharing -> addSharing(sharing, root));
            if (fill.isNested()) {
                nested.beginElement().put(root);
                if (requests != null && fillQuery.allocations() && count > 0) {
                    writeClaims(fill, requests, root);
                }
            }
        }

        /** Records that the tree with this index takes from the sharing provider or could. */
        private void addSharing(UUID sharing, int root) {
            if (firstTreeOfSharing.putIfAbsent(sharing, root) instanceof Integer first && first != root) {
                sharingOfSeveralTrees.add(sharing);
            }
        }

        /** Renders the claims that the last count consists of. */
        private void writeClaims(TreeFill fill, RequestWriter requests, int root) {
            allocations.beginElement().put('"').put(root).put("\":[");
            for (TreeFill.Claims claims : fill.claims()) {
                requests.write(claims.providers(), templates.beginElement());
                allocations.beginElement().put('[').put(templateCount++).put(',').put(claims.times()).put(']');
            }
            allocations.put(']');
        }

        /** Returns the approximate bytes of this query's results. */
        long length() {
            return counts.length() + stops.length() + nested.length() + templates.length() + allocations.length()
                    + SHARING_BYTES * firstTreeOfSharing.size();
        }

        /** Returns the results as a JSON object. Call it once, because it closes the lists. */
        byte[] json() {
            JsonBytes out = new JsonBytes().put("{\"complete\":").put(Boolean.toString(gap() == null))
                    .put(",\"total\":").put(total).put(",\"demands\":[");
            for (String demand : limitNames) {
                out.beginElement().put(Json.quoted(demand));
            }
            out.put("],\"counts\":").put(counts.put(']').toByteArray())
                    .put(",\"stops\":").put(stops.put(']').toByteArray()).put(",\"binding\":{");
            for (int i = 0; i < limitNames.length; i++) {
                if (stopped[i] > 0) {
                    out.beginElement().put(Json.quoted(limitNames[i])).put(':').put(stopped[i]);
                }
            }
            out.put("},\"single\":").put(Boolean.toString(isSingle))
                    .put(",\"nested\":").put(nested.put(']').toByteArray()).put(",\"shared\":[");
            for (UUID sharing : takenSharing) {
                if (sharingOfSeveralTrees.contains(sharing)) {
                    out.beginElement().put(sharing);
                }
            }
            out.put("],\"reached\":[");
            firstTreeOfSharing.keySet().forEach(sharing -> out.beginElement().put(sharing));
            out.put(']');
            if (fillQuery.allocations()) {
                out.put(",\"templates\":").put(templates.put(']').toByteArray())
                        .put(",\"allocations\":").put(allocations.put('}').toByteArray());
            }
            return out.put('}').toByteArray();
        }

        /** Returns the reason for which the results are incomplete; null if they are complete. */
        @Nullable String gap() {
            if (countedTrees < treesToCount) {
                return "time: only %d of %d trees were evaluated".formatted(countedTrees, treesToCount);
            }
            return incompleteTrees == 0
                    ? null
                    : "%d trees are counted incompletely: too many combinations, or the time was up"
                            .formatted(incompleteTrees);
        }
    }

    Fills(FleetView view, List<ScenarioQuery.Fill> asks, long bytesMax, BooleanSupplier timeIsUp) {
        this.view = view;
        this.timeIsUp = timeIsUp;
        this.bytesMax = bytesMax;
        SearchMemory memory = SearchMemory.ofAnalysisJob();
        asks.forEach(ask -> resultsByQuery.add(new QueryResults(view, ask, memory)));
    }

    /**
     * Counts all queries in all trees. Trees after the time is up are not counted.
     *
     * @throws ApiException 400 if the results exceed the limit of bytes
     */
    void run() {
        int visitedTrees = 0;
        boolean isOver = false;
        for (int slot = 0; slot < view.slotCount(); slot++) {
            ProviderTree tree = view.findTree(slot);
            if (tree == null) {
                continue;
            }
            if (visitedTrees++ % TREES_PER_CHECK == 0) {
                isOver = isOver || timeIsUp.getAsBoolean();
                requireSmall();
            }
            boolean isListed = false;
            for (QueryResults results : resultsByQuery) {
                results.treesToCount += results.slots == null || results.slots.get(slot) ? 1 : 0;
                isListed |= !isOver && results.countClaims(tree, slot, timeIsUp);
            }
            if (isListed) {
                roots.beginElement().put(tree.root().uuid());
                for (int i = 0; i < resultsByQuery.size(); i++) {
                    resultsByQuery.get(i).write(rootCount, resultsByQuery.get(i).countsTree(slot));
                }
                rootCount++;
            }
        }
    }

    private void requireSmall() {
        long bytes = roots.length() + resultsByQuery.stream().mapToLong(QueryResults::length).sum();
        if (bytes > bytesMax) {
            throw WhatIf.tooLarge(bytesMax);
        }
    }

    /** Returns the uuids of the listed roots as a JSON list. Call it once, because it closes the list. */
    byte[] roots() {
        return roots.put(']').toByteArray();
    }

    /** Returns the results of the query with this index as a JSON object. Call it once for each query. */
    byte[] json(int fill) {
        return resultsByQuery.get(fill).json();
    }

    /** Returns why the results of the query with this index are incomplete; null if they are complete. */
    @Nullable String gap(int fill) {
        return resultsByQuery.get(fill).gap();
    }
}
