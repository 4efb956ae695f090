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
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * Counts how often each query could be claimed in each tree, each tree separately ({@link TreeFill}). The outer loop is
 * over the trees, so that the data of a tree is in the processor's cache for all queries. Each count is rendered at
 * once, so that the counts take no more memory than the response.
 */
final class Fills {
    /** The number of trees between two checks of the time and of the size of the response. */
    private static final int TREES_PER_CHECK = 64;
    /** The bytes of a sharing provider in the response, whose uuid may be listed twice. */
    private static final long SHARING_BYTES = 2 * 39;

    private final FleetView view;
    private final List<One> all = new ArrayList<>();
    private final BooleanSupplier timeIsUp;
    private final long bytesMax;
    private final JsonBytes roots = new JsonBytes().put('[');
    private int rootCount;

    /** One query and its results so far. The indexes in its JSON refer to the list of roots that all queries share. */
    private static final class One {
        private final ScenarioQuery.Fill ask;
        /** Counts the trees; null if no tree can serve the query. */
        private final @Nullable TreeFill fill;
        private final @Nullable RequestWriter requests;
        /** Slots of the trees to count; null for all. */
        private final @Nullable BitSet slots;
        /**
         * The names of the limits at which a count may end: the resource classes of the query, and last {@code groups}.
         */
        private final String[] demands;
        /** For each element of {@code demands}, the number of trees whose count this limit ended. */
        private final int[] stopped;
        /** For each listed root the count; -1 if the tree is not suitable. */
        private final JsonBytes counts = new JsonBytes().put('[');
        /** For each listed root the index in {@code demands} of the limit that ended the count. */
        private final JsonBytes stops = new JsonBytes().put('[');
        /** Indexes of the roots in whose trees a claim takes from several providers. */
        private final JsonBytes nested = new JsonBytes().put('[');
        /** The allocation requests that {@code allocations} refers to by index. */
        private final JsonBytes templates = new JsonBytes().put('[');
        /** By index of the root, a list of {@code [index in templates, number of claims]}. */
        private final JsonBytes allocations = new JsonBytes().put('{');
        /** The sharing providers that claims of any tree take from. */
        private final Set<UUID> drawn = new LinkedHashSet<>();
        /** For each sharing provider, the index of the first root whose tree takes from it or could take from it. */
        private final Map<UUID, Integer> reached = new HashMap<>();
        /** The sharing providers that more than one tree takes from or could take from. */
        private final Set<UUID> reachedAgain = new HashSet<>();
        private long total;
        private int templateCount;
        private boolean isSingle = true;
        /** The number of trees whose count is incomplete. */
        private int givenUp;
        private int looked;
        private int toLook;

        One(FleetView view, ScenarioQuery.Fill ask, SearchMemory memory) {
            this.ask = ask;
            ResolvedQuery query;
            try {
                query = ResolvedQuery.of(view, ask.query());
            } catch (ApiException refused) {
                throw ask.at().get("query").refused(refused);
            }
            fill = query == null ? null : new TreeFill(view, query, memory);
            requests = query == null ? null : new RequestWriter(view, query);
            int[] classIds = query == null ? new int[0] : fill.classIds();
            demands = new String[classIds.length + 1];
            for (int i = 0; i < classIds.length; i++) {
                demands[i] = view.resourceClasses().name(classIds[i]);
            }
            demands[classIds.length] = "groups";
            stopped = new int[demands.length];
            slots = ask.roots() == null ? null : new BitSet();
            if (slots != null) {
                for (UUID root : ask.roots()) {
                    Provider known = view.find(root);
                    if (known != null) {
                        slots.set(view.slotOf(known));
                    }
                }
            }
        }

        /** Counts the claims in the tree. Returns whether the response must list the tree for this query. */
        boolean look(ProviderTree tree, int slot, BooleanSupplier timeIsUp) {
            if (slots != null && !slots.get(slot)) {
                return false;
            }
            looked++;
            if (fill == null) {
                return false;
            }
            fill.fill(tree, ask.max(), timeIsUp);
            givenUp += fill.isComplete() ? 0 : 1;
            isSingle &= fill.isSingle();
            return fill.count() != TreeFill.UNSUITABLE;
        }

        boolean hasLooked(int slot) {
            return fill != null && (slots == null || slots.get(slot));
        }

        /**
         * Renders the result of the tree that was counted last.
         *
         * @param root index of the root in the response
         * @param hasLooked false if this query does not count the tree, which is listed for another query
         */
        void write(int root, boolean hasLooked) {
            int count = hasLooked ? fill.count() : TreeFill.UNSUITABLE;
            int stop = hasLooked ? fill.stop() : TreeFill.NO_STOP;
            counts.next().put(count);
            stops.next().put(stop);
            if (stop != TreeFill.NO_STOP) {
                stopped[stop]++;
            }
            if (count == TreeFill.UNSUITABLE) {
                return;
            }
            total += count;
            drawn.addAll(fill.drawn());
            fill.drawn().forEach(sharing -> reach(sharing, root));
            fill.reaching().forEach(sharing -> reach(sharing, root));
            if (fill.isNested()) {
                nested.next().put(root);
                if (ask.allocations() && count > 0) {
                    writeClaims(root);
                }
            }
        }

        /** Records that the tree takes from the sharing provider or could take from it. */
        private void reach(UUID sharing, int root) {
            if (reached.putIfAbsent(sharing, root) instanceof Integer first && first != root) {
                reachedAgain.add(sharing);
            }
        }

        /** Renders the claims that the count consists of. */
        private void writeClaims(int root) {
            allocations.next().put('"').put(root).put("\":[");
            for (TreeFill.Claims claims : fill.claims()) {
                requests.write(claims.providers(), templates.next());
                allocations.next().put('[').put(templateCount++).put(',').put(claims.times()).put(']');
            }
            allocations.put(']');
        }

        /** Returns the approximate bytes of this query's results. */
        long length() {
            return counts.length() + stops.length() + nested.length() + templates.length() + allocations.length()
                    + SHARING_BYTES * reached.size();
        }

        byte[] json() {
            JsonBytes out = new JsonBytes().put("{\"complete\":").put(Boolean.toString(gap() == null))
                    .put(",\"total\":").put(total).put(",\"demands\":[");
            for (String demand : demands) {
                out.next().put(Json.quoted(demand));
            }
            out.put("],\"counts\":").put(counts.put(']').toByteArray())
                    .put(",\"stops\":").put(stops.put(']').toByteArray()).put(",\"binding\":{");
            for (int i = 0; i < demands.length; i++) {
                if (stopped[i] > 0) {
                    out.next().put(Json.quoted(demands[i])).put(':').put(stopped[i]);
                }
            }
            out.put("},\"single\":").put(Boolean.toString(isSingle))
                    .put(",\"nested\":").put(nested.put(']').toByteArray()).put(",\"shared\":[");
            for (UUID sharing : drawn) {
                if (reachedAgain.contains(sharing)) {
                    out.next().put(sharing);
                }
            }
            out.put("],\"reached\":[");
            reached.keySet().forEach(sharing -> out.next().put(sharing));
            out.put(']');
            if (ask.allocations()) {
                out.put(",\"templates\":").put(templates.put(']').toByteArray())
                        .put(",\"allocations\":").put(allocations.put('}').toByteArray());
            }
            return out.put('}').toByteArray();
        }

        /** Returns the reason for which the results are incomplete; null if they are complete. */
        @Nullable String gap() {
            if (looked < toLook) {
                return "time: only %d of %d trees were evaluated".formatted(looked, toLook);
            }
            return givenUp == 0
                    ? null
                    : "%d trees were given up: too many combinations, or no time left".formatted(givenUp);
        }
    }

    Fills(FleetView view, List<ScenarioQuery.Fill> asks, long bytesMax, BooleanSupplier timeIsUp) {
        this.view = view;
        this.timeIsUp = timeIsUp;
        this.bytesMax = bytesMax;
        SearchMemory memory = SearchMemory.ofQuestion();
        asks.forEach(ask -> all.add(new One(view, ask, memory)));
    }

    void run() {
        int sinceLook = 0;
        boolean isOver = false;
        var looked = new boolean[all.size()];
        for (int slot = 0; slot < view.slotCount(); slot++) {
            ProviderTree tree = view.tree(slot);
            if (tree == null) {
                continue;
            }
            if (sinceLook++ % TREES_PER_CHECK == 0) {
                isOver = isOver || timeIsUp.getAsBoolean();
                requireSmall();
            }
            boolean isNamed = false;
            for (One one : all) {
                one.toLook += one.slots == null || one.slots.get(slot) ? 1 : 0;
                isNamed |= !isOver && one.look(tree, slot, timeIsUp);
            }
            if (isNamed) {
                roots.next().put(tree.root().uuid());
                for (int i = 0; i < looked.length; i++) {
                    all.get(i).write(rootCount, all.get(i).hasLooked(slot));
                }
                rootCount++;
            }
        }
    }

    private void requireSmall() {
        long bytes = roots.length() + all.stream().mapToLong(One::length).sum();
        if (bytes > bytesMax) {
            throw WhatIf.tooLarge(bytesMax);
        }
    }

    byte[] roots() {
        return roots.put(']').toByteArray();
    }

    byte[] json(int fill) {
        return all.get(fill).json();
    }

    @Nullable String gap(int fill) {
        return all.get(fill).gap();
    }
}
