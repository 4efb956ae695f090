package io.berth.deploy.load.situation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.load.fleet.ExpectedUsage;
import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.Shape;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests situations that combine two kinds of traffic, and the order of claims and deployments. */
class SharedSituationTest {
    private static final Response RESPONSE = new Response(200, 0, null, null);

    private static Traffic of(String kind) {
        return () -> Exchange.get(kind, "/", _ -> Outcome.GOOD);
    }

    @Test
    void eachTrafficGetsHalfOfTheConnectionsWhateverTheirLatency() {
        var halves = new SharedSituation.Halves(of("slow"), of("fast"));
        assertThat(IntStream.range(0, 8).mapToObj(_ -> halves.next().kind()))
                .containsExactly("slow", "fast", "slow", "fast", "slow", "fast", "slow", "fast");
        var fast = new SharedSituation.Halves(of("slow"), of("fast"));
        Exchange slow = fast.next();
        Exchange again = fast.next();
        for (int i = 0; i < 5; i++) {
            assertThat(again.judge().apply(RESPONSE)).isEqualTo(Outcome.GOOD);
            again = fast.next();
            assertThat(again.kind()).isEqualTo("fast");
        }
        assertThat(slow.judge().apply(RESPONSE)).isEqualTo(Outcome.GOOD);
        assertThat(fast.next().kind()).isEqualTo("slow");
    }

    private static Stage stage() {
        return new Stage(null, null, null, null, null, Fleet.parse("flat:1"), new Region(1), new ExpectedUsage(), 7);
    }

    private static Traffic traffic(String situation) throws InterruptedException {
        return Situations.of(Shape.FLAT, List.of(situation)).getFirst().begin(stage()).traffic();
    }

    @Test
    void releasesAClaimAndContinuesWhenTheFleetIsFilled() throws InterruptedException {
        Traffic claims = traffic("claim-random");
        for (int i = 0; i < 250; i++) {
            assertThat(claims.next().judge().apply(new Response(204, 0, null, null))).isEqualTo(Outcome.GOOD);
        }
        Exchange end = claims.next();
        assertThat(end.kind()).isEqualTo("claim-random: end");
        assertThat(end.judge().apply(new Response(204, 0, null, null))).isEqualTo(Outcome.GOOD);
        assertThat(claims.next().kind()).isEqualTo("claim-random");
    }

    @Test
    void aSeedRepeatsTheHostsOfTheClaims() throws InterruptedException {
        assertThat(hostsClaimed()).isEqualTo(hostsClaimed());
    }

    private static List<String> hostsClaimed() throws InterruptedException {
        var many = new Stage(null, null, null, null, null, Fleet.parse("flat:1000"), new Region(1), new ExpectedUsage(),
                7);
        Traffic claims = new ClaimSituation("claim-random", false).begin(many).traffic();
        return IntStream.range(0, 20).mapToObj(_ -> claims.next().body().toString()).toList();
    }

    @Test
    void aSeedRepeatsDeploymentsInAnyOrderOfResponses() throws InterruptedException {
        Response offer = new Response(200, 0,
                Buffer.buffer("{\"allocation_requests\":[{\"allocations\":{\"" + new UUID(0x4000L, 1)
                        + "\":{\"resources\":{\"VCPU\":1}}}}],\"provider_summaries\":{}}"), null);
        assertThat(deployments(offer)).isEqualTo(deployments(null));
    }

    /** @param offer the response to each request, or null for none */
    private static List<String> deployments(Response offer) throws InterruptedException {
        Traffic life = traffic("life-azure");
        List<String> paths = new ArrayList<>();
        while (paths.size() < 20) {
            Exchange next = life.next();
            if (next.kind().endsWith(": candidates")) {
                paths.add(next.path());
                assertThat(offer == null ? Outcome.GOOD : next.judge().apply(offer)).isEqualTo(Outcome.GOOD);
            }
        }
        return paths;
    }

    @Test
    void endsWhenOneTrafficEnds() {
        var halves = new SharedSituation.Halves(of("some"), () -> null);
        assertThat(halves.next()).isNotNull();
        assertThat(halves.next()).isNull();
    }
}
