package io.berth.placement.candidate.explanation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.process.Seed;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.response.Found;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.RandomCloud;
import io.berth.placement.candidate.search.SlowSearch;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Compares explanations of random small fleets and queries with {@link SlowSearch}. {@code -Dberth.test.rounds} sets
 * the number of rounds.
 */
class ExplanationEqualsSlowSearchTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 40);
    /** Queries with at most this many demands have all subsets of them tried. */
    private static final int DEMANDS_MAX = 7;

    private int withCandidates;
    private int withObstacles;
    private int relaxed;

    @Test
    void reportsExactCandidatesObstaclesAndRelaxations() {
        long seed = Seed.of(ExplanationEqualsSlowSearchTest.class);
        for (int round = 0; round < ROUNDS; round++) {
            long roundSeed = seed + round;
            var random = new Random(roundSeed);
            var cloud = new RandomCloud(roundSeed);
            boolean mayShare = random.nextBoolean();
            FleetBuilder fleet = cloud.fleet(random.nextInt(4) > 0, mayShare);
            for (int q = 0; q < 4; q++) {
                String query = cloud.ownQuery(fleet);
                try {
                    check(fleet, query, mayShare, "seed " + roundSeed + ", query " + q + ": " + query);
                } catch (ApiException refused) {
                    assertThat(refused.status()).as(query).isEqualTo(400);
                }
            }
        }
        assertThat(withCandidates).isGreaterThan(ROUNDS / 10);
        assertThat(withObstacles).isGreaterThan(ROUNDS / 2);
        assertThat(relaxed).isGreaterThan(ROUNDS / 4);
    }

    private static CandidateQuery parsed(String query) {
        return CandidateQueryParser.parseOwn(QueryText.parameters(query));
    }

    private void check(FleetBuilder fleet, String query, boolean mayShare, String what) {
        FleetView view = fleet.view();
        Set<String> expected = SlowSearch.anchors(fleet, parsed(query));
        List<String> roots = new ArrayList<>();
        view.forEachProvider(provider -> {
            if (provider.isRoot()) {
                roots.add(provider.name());
            }
        });
        var demands = new Demands(view, parsed(query));
        Explained explained = Explained.of(view, query, roots.toArray(String[]::new));
        // Queries with many demands have more subsets than are tried.
        assertThat(explained.json().path("gaps")).as(what)
                .allMatch(gap -> demands.size() > DEMANDS_MAX && gap.asText().startsWith("relaxations: "));
        assertThat(explained.json().path("roots").asInt()).as(what).isEqualTo(roots.size());
        assertThat(explained.json().path("candidates").asInt()).as(what).isEqualTo(expected.size());
        assertThat(explained.roots(false)).as(what + " without obstacles").isEqualTo(expected);
        Set<String> others = new TreeSet<>(roots);
        others.removeAll(expected);
        assertThat(explained.roots(true)).as(what + " with obstacles").isEqualTo(others);
        withCandidates += expected.isEmpty() ? 0 : 1;
        withObstacles += others.isEmpty() ? 0 : 1;
        checkPlainResponse(view, query, expected, mayShare, what);
        checkObstacles(fleet, demands, explained, what);
        checkRelaxations(fleet, demands, explained, expected.size(), what);
    }

    private static void checkPlainResponse(
            FleetView view, String query, Set<String> expected, boolean mayShare, String what) {
        JsonNode answer = Found.ask(view, query, "1.39").json();
        Set<String> roots = new TreeSet<>();
        answer.path("allocation_requests").forEach(request -> request.path("allocations").fieldNames()
                .forEachRemaining(uuid -> roots.add(rootName(view, view.find(UUID.fromString(uuid))))));
        if (mayShare) {
            assertThat(roots.isEmpty()).as(what).isEqualTo(expected.isEmpty());
        } else {
            assertThat(roots).as(what).isEqualTo(expected);
        }
    }

    private static String rootName(FleetView view, Provider provider) {
        return view.treeOf(provider).root().name();
    }

    /** A tree is a candidate once the demands that its obstacles name are dropped. */
    private static void checkObstacles(FleetBuilder fleet, Demands demands, Explained explained, String what) {
        for (JsonNode provider : explained.json().path("providers")) {
            List<String> by = provider.path("obstacles").findValuesAsText("by");
            var dropped = new BitSet();
            IntStream.range(0, demands.size()).filter(i -> by.contains(demands.get(i).text())).forEach(dropped::set);
            assertThat(demands.texts(dropped)).as(what).hasSameSizeAs(Set.copyOf(by));
            if (demands.mayLoseCandidates(dropped)) {
                // Dropping an amount may drop the provider that has the trait.
                IntStream.range(0, demands.size()).filter(i -> demands.get(i).isUnsuffixedRequired())
                        .forEach(dropped::set);
            }
            BitSet closed = demands.closure(dropped);
            if (demands.without(closed) != null) {
                assertThat(SlowSearch.anchors(fleet, parsed(demands.textWithout(closed))))
                        .as(what + " without " + by).contains(provider.path("name").asText());
            }
        }
    }

    private void checkRelaxations(
            FleetBuilder fleet, Demands demands, Explained explained, int candidates, String what) {
        int smallest = Integer.MAX_VALUE;
        for (JsonNode each : explained.json().path("relaxations")) {
            relaxed++;
            String relaxedQuery = each.path("query").asText();
            assertThat(each.path("candidates").asInt()).as(what).isGreaterThan(candidates);
            assertThat(SlowSearch.anchors(fleet, parsed(relaxedQuery))).as(what + ": " + relaxedQuery)
                    .hasSize(each.path("candidates").asInt());
            smallest = Math.min(smallest, each.path("without").size());
        }
        if (demands.size() > DEMANDS_MAX) {
            return;
        }
        for (long bits = 1; bits < 1L << demands.size(); bits++) {
            BitSet dropped = BitSet.valueOf(new long[] {bits});
            if (dropped.cardinality() < smallest && demands.closure(dropped).equals(dropped)
                    && demands.without(dropped) != null) {
                assertThat(parsed(demands.textWithout(dropped))).as(what + " parsed again")
                        .isEqualTo(demands.without(dropped));
                assertThat(SlowSearch.anchors(fleet, demands.without(dropped)))
                        .as(what + " without " + demands.texts(dropped) + " has no more")
                        .hasSizeLessThanOrEqualTo(candidates);
            }
        }
    }
}
