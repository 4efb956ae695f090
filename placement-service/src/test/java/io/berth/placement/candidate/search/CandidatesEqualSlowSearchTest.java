package io.berth.placement.candidate.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import io.berth.model.Microversion;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.response.Found;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

/**
 * Compares the search with {@link SlowSearch} on random small fleets and queries. {@code -Dberth.test.rounds} sets the
 * number of rounds.
 */
class CandidatesEqualSlowSearchTest {
    private static final int ROUNDS = Integer.getInteger("berth.test.rounds", 100);

    @Test
    void findsTheSameCandidatesWithEveryStrategy() {
        long seed = Seed.of(CandidatesEqualSlowSearchTest.class);
        int queriesWithCandidates = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long roundSeed = seed + round;
            var random = new Random(roundSeed);
            var cloud = new RandomCloud(roundSeed);
            FleetBuilder fleet = cloud.fleet(random.nextInt(4) > 0, random.nextBoolean());
            var view = fleet.view();
            int minor = random.nextBoolean() ? 39 : 34 + random.nextInt(6);
            for (int q = 0; q < 5; q++) {
                String query = acceptedQuery(cloud, minor, fleet);
                String what = "seed " + roundSeed + ", 1." + minor + " " + query;
                var expected = SlowSearch.search(
                        fleet, parsed(query, minor));
                queriesWithCandidates += expected.isEmpty() ? 0 : 1;
                var found = Found.ask(view, query, "1." + minor);
                assertThat(found.candidates()).as(what).containsExactlyElementsOf(expected);
                for (var strategy : CandidateOptions.Strategy.values()) {
                    for (boolean randomize : new boolean[] {false, true}) {
                        checkLimited(view, query, minor, new CandidateOptions(randomize, -1, strategy), expected, what);
                    }
                }
            }
        }
        assertThat(queriesWithCandidates).as("queries with candidates").isGreaterThan(ROUNDS / 4);
    }

    /** A limit returns that many distinct candidates of the set; a limit above their number returns all. */
    private static void checkLimited(
            io.berth.placement.fleet.FleetView view, String query, int minor, CandidateOptions options,
            SortedSet<String> expected,
            String what) {
        for (int limit : new int[] {2, 1_000_000}) {
            List<String> some = Found.ask(view, query + "&limit=" + limit, "1." + minor, options).candidates();
            assertThat(some).as(what + " limit " + limit + " " + options).hasSize(Math.min(limit, expected.size()));
            assertThat(new HashSet<>(some)).as(what + options).hasSameSizeAs(some);
            assertThat(expected).as(what + options).containsAll(some);
        }
    }

    private static CandidateQuery parsed(String query, int minor) {
        return minor == 39
                ? CandidateQueryParser.parseOwn(QueryText.parameters(query))
                : CandidateQueryParser.parse(QueryText.parameters(query), new Microversion(1, minor));
    }

    /** Returns a random query that is accepted; some require and forbid the same trait, which is refused. */
    private static String acceptedQuery(RandomCloud cloud, int minor, FleetBuilder fleet) {
        var tried = new ArrayList<String>();
        while (true) {
            String query = minor == 39 ? cloud.ownQuery(fleet) : cloud.query(minor, fleet);
            try {
                parsed(query, minor);
                return query;
            } catch (io.berth.placement.http.ApiException refused) {
                tried.add(query + ": " + refused.getMessage());
                assertThat(tried).hasSizeLessThan(20);
            }
        }
    }
}
