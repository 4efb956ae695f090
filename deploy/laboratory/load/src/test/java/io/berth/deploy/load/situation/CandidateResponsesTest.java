package io.berth.deploy.load.situation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.load.fleet.Shape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how the load generator reads allocation candidates, and which situations each shape of fleet has. */
class CandidateResponsesTest {
    private static final List<UUID> HOSTS =
            IntStream.range(0, 5).mapToObj(i -> new UUID(0x4000L, i)).toList();

    /** Returns a response as of microversion 1.39, with its two members in either order. */
    private static byte[] body(List<UUID> hosts, boolean summariesFirst) {
        String requests = hosts.stream()
                .map(host -> "{\"allocations\": {\"%s\":{\"resources\":{\"VCPU\":1}}},\"mappings\":{\"\":[\"%s\"]}}"
                        .formatted(host, host))
                .collect(Collectors.joining(",", "\"allocation_requests\":[", "]"));
        String summaries = hosts.stream()
                .map(host -> "\"%s\":{\"resources\":{\"VCPU\":{\"capacity\":64,\"used\":0}},\"traits\":[]}"
                        .formatted(host))
                .collect(Collectors.joining(",", "\"provider_summaries\":{", "}"));
        return ("{" + (summariesFirst ? summaries + "," + requests : requests + "," + summaries) + "}")
                .getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void countsRequestsAndSummaries(boolean summariesFirst) throws IOException {
        assertThat(CandidateScan.count(body(HOSTS, summariesFirst))).isEqualTo(new CandidateScan.Counts(5, 5));
        assertThat(CandidateScan.count(body(List.of(), summariesFirst))).isEqualTo(new CandidateScan.Counts(0, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"allocation_requests\":[{}", "{\"other\":[]}", "nothing"})
    void refusesInvalidResponses(String text) {
        assertThatThrownBy(() -> CandidateScan.count(text.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void drawsAllHostsAboutEquallyOften(boolean summariesFirst) {
        var offers = new Offers(body(HOSTS, summariesFirst));
        var random = new SplittableRandom(5);
        Map<UUID, Integer> drawn = new HashMap<>();
        for (int i = 0; i < 10_000; i++) {
            drawn.merge(offers.draw(random), 1, Integer::sum);
        }
        assertThat(drawn).containsOnlyKeys(HOSTS);
        assertThat(drawn.values()).allMatch(count -> count > 1_700 && count < 2_300);
    }

    @Test
    void drawsTheOnlyHostAndRecognizesEmptyResponses() {
        var one = new Offers(body(HOSTS.subList(0, 1), false));
        assertThat(one.draw(new SplittableRandom(1))).isEqualTo(HOSTS.getFirst());
        assertThat(one.isEmpty()).isFalse();
        assertThat(new Offers(body(List.of(), false)).isEmpty()).isTrue();
        assertThat(new Offers(new byte[0]).isEmpty()).isTrue();
    }

    @Test
    void aConsumerIsAVersion4Uuid() {
        UUID consumer = Claim.newConsumer(new SplittableRandom(1));
        assertThat(consumer.version()).isEqualTo(4);
        assertThat(consumer.variant()).isEqualTo(2);
    }

    @Test
    void returnsTheSituationsOfEveryShape() {
        assertThat(Situations.of(Shape.NESTED, List.of())).extracting(Situation::name)
                .containsExactly("nested-unsuffixed", "nested-granular", "nested-subtree");
        assertThat(Situations.of(Shape.FLAT, List.of("claim-hot", "limit-10"))).extracting(Situation::name)
                .containsExactly("limit-10", "claim-hot");
        assertThat(Situations.of(Shape.WIDE, List.of("claim-hot"))).isEmpty();
        assertThat(Situations.of(Shape.FLAT, List.of())).extracting(Situation::name)
                .contains("schedule-delete", "schedule-mix", "mixed").doesNotContain("shapes");
        assertThat(Situations.of(Shape.FLAT, List.of("shapes"))).hasSize(1);
        assertThatThrownBy(() -> Situations.of(Shape.FLAT, List.of("claims")))
                .hasMessageStartingWith("no such situation: claims; there are limit-10, ");
    }
}
