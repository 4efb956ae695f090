package io.berth.placement.candidate.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.model.Microversion;
import io.berth.placement.candidate.answer.SearchTask.Outcome;
import io.berth.placement.candidate.query.CandidateQuery;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.candidate.query.QueryText;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.CandidateOptions.Strategy;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.RandomCloud;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What changed, applied to what was held, is what a plain answer says. */
class AnswerDeltaTest {
    private static final int ROUNDS = Integer.getInteger("berth.rounds", 300);
    private static final long BYTES_MAX = 10_000_000;
    private static final String VCPU = "resources=VCPU:1";

    /** The answer and what both sides remember of it. */
    private record Told(String body, HeldByClient client, HeldAnswer server) {}

    private int tokens;

    /** {@code null} when the answer is too large to be told. */
    private @Nullable Told tell(
            FleetView view, String query, CandidateOptions options, long seed, @Nullable Told before) {
        String token = "t" + ++tokens;
        CandidateQuery parsed = CandidateQueryParser.parse(QueryText.parameters(query), Microversion.MAX);
        byte[] body;
        HeldAnswer server;
        ResolvedQuery resolved = ResolvedQuery.of(view, parsed);
        if (resolved != null) {
            HeldAnswer base = before == null ? null : before.server();
            var delta = new AnswerDelta(view, resolved, base, token, query, BYTES_MAX);
            body = json(new SearchTask(view, resolved, options, new Random(seed), delta).finish());
            if (body == null) {
                return null;
            }
            server = delta.answered();
        } else {
            server = AnswerDelta.nothing(view, token, query);
            body = AnswerDelta.nothing(server);
        }
        var client = HeldByClient.parse(body, before == null ? null : before.client());
        assertThat(client.token()).isEqualTo(server.token());
        return new Told(new String(body, StandardCharsets.UTF_8), client, server);
    }

    private static @Nullable byte[] json(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Answered(byte[] json) -> json;
            case Outcome.TooLarge() -> null;
            case Outcome.TooManyCombinations() -> throw new AssertionError(outcome);
        };
    }

    private Told tell(FleetView view, String query, @Nullable Told before) {
        return tell(view, query, CandidateOptions.DEFAULT, 1, before);
    }

    /** {@code null} when the answer is too large. */
    private static @Nullable List<HeldByClient.Tree> plain(
            FleetView view, String query, CandidateOptions options, long seed) {
        var parsed = CandidateQueryParser.parse(QueryText.parameters(query), Microversion.MAX);
        ResolvedQuery resolved = ResolvedQuery.of(view, parsed);
        if (resolved == null) {
            return List.of();
        }
        var answer = new CandidatesAnswer(view, resolved, AnswerForm.of(Microversion.MAX), BYTES_MAX);
        byte[] body = json(new SearchTask(view, resolved, options, new Random(seed), answer).finish());
        return body == null ? null : HeldByClient.grouped(Json.parse(body));
    }

    @Test
    void appliedToTheHeldAnswerItIsTheWholeAnswer() {
        long seed = Long.getLong("berth.seed", System.nanoTime());
        System.out.println("AnswerDeltaTest seed " + seed + " (repeat with -Dberth.seed=" + seed + ")");
        long asHeld = 0;
        long trees = 0;
        int tooLarge = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long roundSeed = seed + round;
            var random = new Random(roundSeed);
            var cloud = new RandomCloud(roundSeed);
            FleetBuilder fleet = cloud.fleet(random.nextInt(3) > 0, random.nextInt(3) == 0);
            var changing = new ChangingFleet(fleet.view(), random);
            String query = askable(cloud, fleet, random);
            var options = new CandidateOptions(
                    random.nextInt(4) == 0, -1, random.nextBoolean() ? Strategy.BREADTH_FIRST : Strategy.DEPTH_FIRST);
            Told told = null;
            for (int step = 0; step < 12; step++) {
                String what = "seed " + roundSeed + " step " + step + " " + query + " " + options;
                long searchSeed = random.nextLong();
                told = tell(changing.view(), query, options, searchSeed, told);
                var whole = plain(changing.view(), query, options, searchSeed);
                if (told == null || whole == null) {
                    // The changes made so much room that the combinations no longer fit into an answer.
                    tooLarge++;
                    break;
                }
                assertThat(told.client().trees()).as(what).isEqualTo(whole);
                trees += told.client().trees().size();
                asHeld += told.body().contains("[[0,") ? 1 : 0;
                for (int changes = random.nextInt(3); changes > 0; changes--) {
                    changing.change();
                }
            }
        }
        // That something was compared; usually about twice as much.
        assertThat(trees).as("trees in all answers").isGreaterThan(ROUNDS * 4L);
        assertThat(asHeld).as("answers that begin as held").isGreaterThan(ROUNDS / 2);
        assertThat(tooLarge).as("rounds cut short").isLessThan(ROUNDS / 10);
    }

    private static String askable(RandomCloud cloud, FleetBuilder fleet, Random random) {
        while (true) {
            String query = cloud.query(39, fleet).replace("CUSTOM_FPGA", "VCPU");
            if (random.nextBoolean()) {
                query += "&limit=" + (1 + random.nextInt(6));
            }
            try {
                // Most should have an answer to begin with.
                var first = plain(fleet.view(), query, CandidateOptions.DEFAULT, 1);
                if (first != null && (random.nextInt(30) == 0 || first.size() > 1)) {
                    return query;
                }
            } catch (ApiException refused) {
                // It requires and forbids the same trait, or names a class twice.
            }
        }
    }

    private static FleetBuilder threeHosts() {
        return FleetBuilder.aFleet()
                .root("a").inventory("VCPU", 4).root("b").inventory("VCPU", 4).root("c").inventory("VCPU", 4);
    }

    @Test
    void saysInAFewBytesThatNothingChanged() {
        FleetView view = threeHosts().view();
        Told first = tell(view, VCPU, null);
        assertThat(first.body()).startsWith("{\"token\":\"t1\",\"held\":null,\"roots\":[{\"root_provider_uuid\":");
        Told second = tell(view, VCPU, first);
        assertThat(second.body()).isEqualTo("{\"token\":\"t1\",\"held\":\"t1\",\"roots\":[[0,3]]}");
        assertThat(second.server()).isSameAs(first.server());
    }

    @Test
    void repeatsTheSummaryAloneOfAHostThatWasClaimed() {
        var fleet = threeHosts();
        FleetView view = fleet.view();
        Told first = tell(view, VCPU, null);
        var claimed = FleetBuilder.aFleet().root("a").root("b").used("VCPU", 4, 3).view().find("b");
        Told second = tell(view.with(List.of(claimed), List.of(), List.of(), List.of()), VCPU, first);
        assertThat(second.body())
                .isEqualTo("{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[0,1],{\"held\":1,\"provider_summaries\":{\""
                        + claimed.uuid() + "\":{\"resources\":{\"VCPU\":{\"capacity\":4,\"used\":3}},\"traits\":[],"
                        + "\"parent_provider_uuid\":null,\"root_provider_uuid\":\"" + claimed.uuid() + "\"}}},[2,1]]}");
        assertThat(second.server().trees()[0]).isSameAs(first.server().trees()[0]);
    }

    @Test
    void leavesOutAHostThatIsFull() {
        FleetView view = threeHosts().view();
        Told first = tell(view, VCPU, null);
        var full = FleetBuilder.aFleet().root("a").root("b").used("VCPU", 4, 4).view().find("b");
        Told second = tell(view.with(List.of(full), List.of(), List.of(), List.of()), VCPU, first);
        assertThat(second.body()).isEqualTo("{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[0,1],[2,1]]}");
    }

    @Test
    void tellsASharingProviderAnewAndLeavesTheHostsItServes() {
        var fleet = FleetBuilder.aFleet()
                .root("a").inventory("VCPU", 4).in("pool").root("b").inventory("VCPU", 4).in("pool")
                .root("s").inventory("DISK_GB", 100).sharing("pool");
        FleetView view = fleet.view();
        String query = "resources=VCPU:1,DISK_GB:10";
        Told first = tell(view, query, null);
        assertThat(first.client().trees()).extracting(tree -> tree.requests().size()).containsExactly(1, 2, 1);
        var used = FleetBuilder.aFleet()
                .root("a").root("b").root("s").used("DISK_GB", 100, 10).sharing("pool").view().find("s");
        Told second = tell(view.with(List.of(used), List.of(), List.of(), List.of()), query, first);
        assertThat(second.body())
                .contains("\"roots\":[[0,1],{\"held\":1,\"provider_summaries\":{")
                .endsWith("}}},[2,1]]}");
    }

    @Test
    void tellsEverythingAnewUnderAnotherNameOfAClass() {
        var fleet = threeHosts().knowingClasses("CUSTOM_FPGA");
        var changing = new ChangingFleet(fleet.view(), new Random(1));
        Told first = tell(changing.view(), VCPU, null);
        changing.renameClass();
        assertThat(tell(changing.view(), VCPU, first).body()).contains("\"held\":null");
    }

    @Test
    void refusesMoreThanMayBeHeld() {
        FleetView view = threeHosts().view();
        var resolved = ResolvedQuery.of(
                        view, CandidateQueryParser.parse(QueryText.parameters(VCPU), Microversion.MAX));
        var delta = new AnswerDelta(view, resolved, null, "t", VCPU, 500);
        assertThat(new SearchTask(view, resolved, CandidateOptions.DEFAULT, null, delta).finish())
                .isEqualTo(new Outcome.TooLarge());
    }
}
