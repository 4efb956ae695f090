package io.berth.placement.candidate.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.search.CandidateOptions.Strategy;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import jakarta.annotation.Nullable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests that the indexes omit no candidate and change no order: the search returns what a search of every tree returns,
 * after edits as well.
 */
class CandidateOrderTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 100);
    private static final int CANDIDATES_MAX = 3_000;

    @Test
    void equalsTheOrderOfASearchOfAllTrees() {
        long seed = Seed.of(CandidateOrderTest.class);
        int compared = 0;
        int few = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var random = new Random(seed + round);
            var cloud = new RandomCloud(seed + round);
            // Enough roots for several neighborhoods of slots; fewer if many providers share with many.
            boolean isLarge = random.nextInt(3) == 0;
            int roots = isLarge ? 300 + random.nextInt(500) : 1 + random.nextInt(20);
            FleetBuilder fleet = cloud.fleet(roots, random.nextBoolean(), !isLarge && random.nextBoolean());
            FleetView view = fleet.view();
            for (int queryNumber = 0; queryNumber < 10; queryNumber++) {
                boolean isEdited = queryNumber >= 5;
                if (isEdited) {
                    view = RandomEdits.apply(view, random, 1 + random.nextInt(6));
                }
                String query = cloud.query(39, fleet) + "&limit="
                        + (random.nextBoolean() ? 1 + random.nextInt(8) : CANDIDATES_MAX);
                var options = new CandidateOptions(
                        false, -1, random.nextBoolean() ? Strategy.BREADTH_FIRST : Strategy.DEPTH_FIRST);
                FleetView rebuilt = isEdited ? rebuilt(view) : view;
                ResolvedQuery resolved;
                ResolvedQuery resolvedRebuilt;
                try {
                    var parsed = CandidateQueryParser.parse(QueryText.parameters(query), Microversion.MAX);
                    resolved = ResolvedQuery.of(view, parsed);
                    resolvedRebuilt = ResolvedQuery.of(rebuilt, parsed);
                } catch (ApiException refused) {
                    // The query requires and forbids the same trait, or names a class twice.
                    continue;
                }
                if (resolved != null) {
                    List<List<Long>> found = found(view, resolved, options);
                    if (found == null) {
                        continue;
                    }
                    assertThat(found).as("seed %d %s %s", seed + round, query, options)
                            .isEqualTo(ofAllTrees(view, resolved, options));
                    if (isEdited && found.size() < resolved.limit()) {
                        assertThat(found).as("same as in a rebuilt fleet: seed %d %s", seed + round, query)
                                .containsExactlyInAnyOrderElementsOf(ofAllTrees(rebuilt, resolvedRebuilt, options));
                    }
                    compared += found.size();
                    few += found.size() < roots / 4 ? 1 : 0;
                }
            }
        }
        assertThat(compared).as("candidates").isGreaterThan(ROUNDS * 20);
        assertThat(few).as("queries with few candidates").isGreaterThan(ROUNDS / 4);
    }

    /** Returns the same fleet, loaded at once. */
    private static FleetView rebuilt(FleetView view) {
        return FleetView.empty().with(
                view.listProviders(), List.of(), view.resourceClasses().list(), view.traits().list());
    }

    /** Returns all candidates; null if that takes too many steps. */
    private static @Nullable List<List<Long>> found(FleetView view, ResolvedQuery query, CandidateOptions options) {
        List<List<Long>> all = new ArrayList<>();
        var search = new CandidateSearch(view, query, options, null, (anchor, providers) -> {
            all.add(ids(providers));
            return true;
        });
        for (int slice = 0; slice < 100; slice++) {
            if (search.run(10_000) == CandidateSearch.Progress.DONE) {
                return all;
            }
        }
        return null;
    }

    /** Searches every tree: tree by tree, or one candidate of each tree before the second of any. */
    private static List<List<Long>> ofAllTrees(FleetView view, ResolvedQuery query, CandidateOptions options) {
        var memory = SearchMemory.ofOneSearch();
        var sharing = SharingProviders.of(view, query, memory);
        var budget = new StepBudget(Long.MAX_VALUE);
        var waiting = new ArrayDeque<TreeSearch>();
        for (int slot = 0; slot < view.slotCount(); slot++) {
            var tree = new TreeSearch(view, query, sharing, null, memory);
            if (view.tree(slot) != null && tree.begin(view.tree(slot), budget)) {
                waiting.add(tree);
            }
        }
        List<List<Long>> all = new ArrayList<>();
        Set<List<Long>> shared = new HashSet<>();
        Provider[] providers = new Provider[query.parts().length];
        while (!waiting.isEmpty() && all.size() < query.limit()) {
            TreeSearch tree = waiting.poll();
            boolean isNew = false;
            TreeSearch.Outcome outcome = TreeSearch.Outcome.FOUND;
            while (!isNew && outcome == TreeSearch.Outcome.FOUND) {
                outcome = tree.next(budget);
                if (outcome == TreeSearch.Outcome.FOUND) {
                    tree.copyTo(providers);
                    isNew = !tree.hasOnlySharing() || shared.add(ids(providers));
                }
            }
            if (isNew) {
                all.add(ids(providers));
                if (options.strategy() == Strategy.BREADTH_FIRST) {
                    waiting.addLast(tree);
                } else {
                    waiting.addFirst(tree);
                }
            }
        }
        return all;
    }

    private static List<Long> ids(Provider[] providers) {
        return Arrays.stream(providers).map(Provider::id).toList();
    }
}
