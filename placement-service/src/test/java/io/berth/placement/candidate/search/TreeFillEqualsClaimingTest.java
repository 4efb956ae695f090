package io.berth.placement.candidate.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import io.berth.placement.http.ApiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Compares fills of random small fleets with claiming the first candidate on a copy of the fleet, again and again.
 * {@code -Dberth.test.rounds} sets the number of rounds.
 */
class TreeFillEqualsClaimingTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 300);
    private static final int MAX = 1_000;

    private int filled;
    private int severalTimes;
    private int changing;
    private int sharing;
    private int unsuitable;
    private int together;

    @Test
    void fillEqualsClaimingOneByOne() {
        long seed = Seed.of(TreeFillEqualsClaimingTest.class);
        for (int round = 0; round < ROUNDS; round++) {
            // Consecutive seeds give similar fleets.
            long roundSeed = new SplittableRandom(seed + round).nextLong();
            var random = new Random(roundSeed);
            var cloud = new RandomCloud(roundSeed);
            FleetBuilder fleet = cloud.fleet(random.nextInt(4) > 0, random.nextBoolean());
            for (int q = 0; q < 4; q++) {
                String query = cloud.ownQuery(fleet);
                try {
                    check(fleet.view(), query, "seed " + roundSeed + ", query " + q + ": " + query);
                } catch (ApiException refused) {
                    assertThat(refused.status()).as(query).isEqualTo(400);
                }
            }
        }
        assertThat(filled).isGreaterThan(ROUNDS / 4);
        assertThat(severalTimes).isGreaterThan(ROUNDS / 10);
        assertThat(changing).isGreaterThan(ROUNDS / 50);
        assertThat(sharing).isGreaterThan(ROUNDS / 50);
        assertThat(unsuitable).isGreaterThan(ROUNDS / 4);
        assertThat(together).as("stopped by no single class").isGreaterThan(0);
    }

    /** If a part loses a choice that it never used, the order of the search changes, and with it the providers used. */
    @Test
    void searchesAgainWhenAPartLosesAChoiceThatAnotherUses() {
        FleetView view = FleetBuilder.aFleet().root("cn")
                .child("a1").inventory("VCPU", 20).traits("CUSTOM_A")
                .child("a2").inventory("VCPU", 20).traits("CUSTOM_A")
                .child("c").inventory("VCPU", 4).traits("CUSTOM_C")
                .view();
        check(view, "resources_B=VCPU:3&resources_A=VCPU:1&required_A=CUSTOM_A&resources_C=VCPU:1&required_C=CUSTOM_C"
                + "&group_policy=isolate", "four times");
        assertThat(severalTimes).isEqualTo(2);
        assertThat(changing).isEqualTo(2);
    }

    private void check(FleetView view, String query, String what) {
        CandidateQuery parsed = CandidateQueryParser.parseOwn(QueryText.parameters(query));
        ResolvedQuery resolved = ResolvedQuery.of(view, parsed);
        if (resolved == null) {
            return;
        }
        var fill = new TreeFill(view, resolved, SearchMemory.ofAnalysisJob());
        // Every tree is filled twice, because no state of the previous tree may remain.
        for (int slot = 0; slot < 2 * view.slotCount(); slot++) {
            ProviderTree tree = view.tree(slot % view.slotCount());
            String where = what + " in " + tree;
            var claimed = new ArrayList<List<UUID>>();
            FleetView rest = claimAll(view, parsed, tree, claimed);
            fill.fill(tree, MAX, () -> false);
            assertThat(fill.isComplete()).as(where).isTrue();
            boolean isSuitable = !claimed.isEmpty() || first(withRoom(view), parsed, tree.root()) != null;
            assertThat(fill.count()).as(where).isEqualTo(isSuitable ? claimed.size() : TreeFill.UNSUITABLE);
            checkClaims(fill, tree, claimed, where);
            checkStop(fill, resolved, rest, tree, isSuitable, where);
            int half = claimed.size() / 2;
            if (half > 0) {
                fill.fill(tree, half, () -> false);
                assertThat(fill.count()).as(where + ", half of them").isEqualTo(half);
                assertThat(fill.limitingClass()).as(where).isEqualTo(TreeFill.NO_LIMITING_CLASS);
            }
            filled += claimed.isEmpty() ? 0 : 1;
            severalTimes += claimed.size() > 2 ? 1 : 0;
            changing += new HashSet<>(claimed).size() > 1 ? 1 : 0;
            unsuitable += isSuitable ? 0 : 1;
        }
    }

    private static FleetView claimAll(FleetView view, CandidateQuery query, ProviderTree tree,
            List<List<UUID>> claimed) {
        FleetView now = view;
        Provider[] candidate = first(now, query, tree.root());
        while (candidate != null) {
            claimed.add(Arrays.stream(candidate).map(Provider::uuid).toList());
            assertThat(claimed).hasSizeLessThan(MAX);
            now = now.withScenario(taken(ResolvedQuery.of(now, query), candidate), List.of());
            candidate = first(now, query, tree.root());
        }
        return now;
    }

    /** Returns the first candidate in this tree; null if there is none. */
    private static Provider[] first(FleetView view, CandidateQuery query, Provider root) {
        ResolvedQuery resolved = ResolvedQuery.of(view, query);
        var memory = SearchMemory.ofOneSearch();
        var search = new TreeSearch(view, resolved, SharingProviders.of(view, resolved, memory), null, memory);
        var budget = new StepBudget(Long.MAX_VALUE);
        if (!search.begin(view.treeOfRoot(root.id()), budget) || search.next(budget) == TreeSearch.Outcome.EXHAUSTED) {
            return null;
        }
        Provider[] found = new Provider[resolved.parts().length];
        search.copyTo(found);
        return found;
    }

    private static Collection<Provider> taken(ResolvedQuery query, Provider[] candidate) {
        List<Provider> after = new ArrayList<>();
        Set<Provider> done = new HashSet<>();
        for (Provider provider : candidate) {
            if (done.add(provider)) {
                long[] used = provider.inventories().used().clone();
                for (int part = 0; part < candidate.length; part++) {
                    GroupPart wanted = query.parts()[part];
                    for (int i = 0; candidate[part] == provider && i < wanted.classIds().length; i++) {
                        used[provider.inventories().find(wanted.classIds()[i])] += wanted.amounts()[i];
                    }
                }
                after.add(provider.withUsed(used));
            }
        }
        return after;
    }

    /** Returns the same fleet with ample capacity and without unit limits. */
    private static FleetView withRoom(FleetView view) {
        List<Provider> all = new ArrayList<>();
        view.forEachProvider(provider -> {
            int size = provider.inventories().size();
            var ample = new Inventories(
                    provider.inventories().classIds(), filled(size, Integer.MAX_VALUE), new int[size], filled(size, 1),
                    filled(size, Integer.MAX_VALUE), filled(size, 1),
                    Arrays.stream(new double[size]).map(_ -> 1.0).toArray(),
                    new long[size], 0);
            all.add(provider.with(ample, provider.traitIds().clone(), provider.aggregates().clone()));
        });
        return view.withScenario(all, List.of());
    }

    private static int[] filled(int size, int value) {
        int[] all = new int[size];
        Arrays.fill(all, value);
        return all;
    }

    private void checkClaims(TreeFill fill, ProviderTree tree, List<List<UUID>> claimed, String what) {
        if (!fill.isNested()) {
            assertThat(claimed).as(what).allMatch(each -> each.stream().allMatch(tree.root().uuid()::equals));
            return;
        }
        List<List<UUID>> observed = new ArrayList<>();
        for (TreeFill.Claims claims : fill.claims()) {
            for (int i = 0; i < claims.times(); i++) {
                observed.add(Arrays.stream(claims.providers()).map(Provider::uuid).toList());
            }
        }
        assertThat(observed).as(what).isEqualTo(claimed);
        sharing += fill.takenSharing().isEmpty() ? 0 : 1;
    }

    /** Checks the class that stops the fill: the first one that no longer fits, or none alone. */
    private void checkStop(
            TreeFill fill, ResolvedQuery query, FleetView rest, ProviderTree tree, boolean isSuitable, String what) {
        if (!isSuitable) {
            assertThat(fill.limitingClass()).as(what).isEqualTo(TreeFill.NO_LIMITING_CLASS);
            return;
        }
        int[] classIds = fill.classIds();
        assertThat(fill.limitingClass()).as(what).isBetween(0, classIds.length);
        if (fill.limitingClass() == classIds.length) {
            together++;
            return;
        }
        if (!fill.isNested()) {
            Inventories left = rest.find(tree.root().uuid()).inventories();
            int first = 0;
            while (isServed(query, left, classIds[first])) {
                first++;
            }
            assertThat(fill.limitingClass()).as(what).isEqualTo(first);
        }
    }

    private static boolean isServed(ResolvedQuery query, Inventories left, int classId) {
        long sum = 0;
        for (GroupPart part : query.parts()) {
            long amount = part.amountOf(classId);
            if (amount > 0 && !left.fits(classId, amount)) {
                return false;
            }
            sum += amount;
        }
        int at = left.find(classId);
        return left.used()[at] + sum <= left.capacity(at) && sum <= left.maxUnit()[at];
    }
}
