package io.berth.scheduler.record;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.JsonFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.request.RequestNames;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.trace.DecisionTrace;
import io.berth.scheduler.weigher.CPUWeigher;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RAMWeigher;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the JSON body of decision records and what is read from it. */
class RecordBodyTest {
    private static List<HostState> hosts(int count, int up) {
        List<HostState> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(host("host: 'host-%04d', free_ram_mb: %d, total_usable_ram_mb: 99999, service: {up: %b}"
                    .formatted(i, 2_048 + i, i < up)));
        }
        return hosts;
    }

    private static Decision decide(String more, List<HostState> hosts, HostFilter... filters) {
        List<HostFilter> all = new ArrayList<>(List.of(new ComputeFilter()));
        all.addAll(List.of(filters));
        return Decision.decide(request(more), hosts, false, new SchedulingInputs(
                Options.DEFAULTS,
                new EnabledFilters(all),
                new EnabledWeighers(List.of(new RAMWeigher(), new CPUWeigher())),
                new SplittableRandom(1),
                SchedulingInputs.Detail.COUNTS));
    }

    private static RecordedDecision recorded(Decision decision) {
        return new RecordedDecision(row(decision));
    }

    private static DecisionRow row(Decision decision) {
        UUID instance = UUID.randomUUID();
        DecisionTrace trace = DecisionTrace.of(new DecisionTrace.Request(
                DecisionTrace.Kind.SELECT, "{}".getBytes(StandardCharsets.UTF_8), "req-1", List.of(instance), "p", "f",
                RequestNames.NONE));
        DecisionOutcome ending = new DecisionOutcome(
                DecisionOutcome.Result.ERROR, "scheduler.x", "x", null, decision, null, null, List.of());
        byte[] body = RecordBody.of(trace, ending);
        assertThat(body.length).isLessThan(2 * RecordBody.SIZE_MAX);
        return new DecisionRow(
                trace.id(), "select", "error", "p", "f", null, List.of(instance), List.of(), trace.request().body(),
                body, OfferedHosts.of(decision.rounds().getFirst().round().preselection().hostsIn(), null));
    }

    private static JsonNode parse(String json) {
        return JsonBody.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode of(RecordedDecision recorded, String host) {
        return parse(recorded.host(host).render(false));
    }

    @Test
    void distinguishesRankedPassedRejectedAndUnknownHosts() {
        RecordedDecision recorded = recorded(decide("", hosts(100, 60)));

        assertThat(of(recorded, "host-0059").get("verdict").asText()).isEqualTo("chosen");
        assertThat(of(recorded, "host-0050").get("rank").asInt()).isEqualTo(10);
        assertThat(of(recorded, "host-0050").get("verdict").asText()).isEqualTo("ranked");
        assertThat(of(recorded, "host-0010").get("verdict").asText()).isEqualTo("passed");
        assertThat(of(recorded, "host-0070").get("verdict").asText()).isEqualTo("rejected");
        assertThat(of(recorded, "host-0070").get("by").asText()).isEqualTo("ComputeFilter");
        assertThat(of(recorded, "host-0100").get("verdict").asText()).isEqualTo("not_known");
    }

    @Test
    void recordsTheExactWeightsOfTheBestHosts() {
        Decision decision = decide("", hosts(100, 60));
        JsonNode ranked = parse(recorded(decision).render()).at("/instances/0/ranked");

        assertThat(ranked).hasSize(20);
        var round = decision.rounds().getFirst().round();
        IntStream.range(0, 20).forEach(rank -> {
            JsonNode rankedHost = ranked.get(rank);
            int position = round.ranked().get(rank).position();
            assertThat(rankedHost.get("host").asText()).isEqualTo(round.ranked().get(rank).host().host());
            assertThat(rankedHost.get("weight").asDouble()).isEqualTo(round.ranked().get(rank).weight());
            for (int weigher = 0; weigher < 2; weigher++) {
                JsonNode weight = rankedHost.get("weights").get(weigher);
                assertThat(weight.get("raw").asDouble()).isEqualTo(round.weighers().get(weigher).raw()[position]);
                assertThat(weight.get("normalized").asDouble())
                        .isEqualTo(round.weighers().get(weigher).normalized()[position]);
                assertThat(weight.get("weighted").asDouble()).isEqualTo(round.weighers().get(weigher).score(position));
            }
        });
    }

    @Test
    void countsRejectedHostsBeyondTheFirstThousand() {
        RecordedDecision recorded = recorded(decide("", hosts(2_500, 1)));

        JsonNode filter = parse(recorded.render()).at("/instances/0/filters/0");
        assertThat(filter.get("rejected")).hasSize(RecordBody.REJECTED_MAX);
        assertThat(filter.get("hosts_in").asInt()).isEqualTo(2_500);
        String code = filter.at("/rejected/0/code").asText();
        assertThat(filter.get("more_rejected").properties())
                .isEqualTo(Set.of(Map.entry(code, filter.get("more_rejected").get(code))));
        assertThat(filter.get("more_rejected").get(code).asInt()).isEqualTo(1_499);
        assertThat(of(recorded, "host-0500").get("verdict").asText()).isEqualTo("rejected");
        assertThat(of(recorded, "host-2400").get("verdict").asText()).isEqualTo("not_recorded");
    }

    @Test
    void reportsNotRecordedForLaterInstancesIfTheRecordIsTruncated() {
        RecordedDecision recorded = recorded(decide("num_instances: 2", hosts(2_500, 100)));

        JsonNode cut = of(recorded, "host-2400");
        assertThat(cut.get("verdict").asText()).isEqualTo("not_recorded");
        assertThat(cut.at("/instances/1/verdict").asText()).isEqualTo("not_recorded");
        assertThat(of(recorded, "host-0500").at("/instances/1/verdict").asText()).isEqualTo("rejected");
        assertThat(of(recorded, "host-0090").at("/instances/1/verdict").asText()).isEqualTo("ranked");
    }

    @Test
    void reportsNotRecordedForIgnoredHostsIfTheRecordIsTruncated() {
        String ignored = IntStream.range(500, 2_500)
                .mapToObj("'host-%04d'"::formatted)
                .collect(Collectors.joining(", ", "ignore_hosts: [", "]"));
        RecordedDecision recorded = recorded(decide(ignored, hosts(2_500, 2_500)));

        assertThat(of(recorded, "host-0600").get("verdict").asText()).isEqualTo("rejected");
        assertThat(of(recorded, "host-2400").get("verdict").asText()).isEqualTo("not_recorded");
    }

    @Test
    void reportsTheErrorOfAFilterThatCouldNotReadTheRequest() {
        Decision decision = decide("scheduler_hints: {query: ['no JSON']}", hosts(100, 60), new JsonFilter());
        assertThat(decision.error()).isNotNull();
        RecordedDecision recorded = recorded(decision);

        JsonNode host = of(recorded, "host-0059");
        assertThat(host.get("verdict").asText()).isEqualTo("not_evaluated");
        assertThat(host.get("by").asText()).isEqualTo("JsonFilter");
        assertThat(host.get("stage").asText()).isEqualTo("filter");
        assertThat(host.get("text").asText()).isEqualTo(decision.error().detail());
        assertThat(of(recorded, "host-0070").get("by").asText()).isEqualTo("ComputeFilter");
    }

    /** Some provider meets each demand, or placement does not report how many meet it. */
    @Test
    void namesPlacementAsTheStageIfItOfferedNoHosts() {
        DecisionTrace trace = DecisionTrace.of(new DecisionTrace.Request(
                DecisionTrace.Kind.SELECT, null, "req-1", List.of(UUID.randomUUID()), "p", "f", RequestNames.NONE));
        DecisionOutcome ending = new DecisionOutcome(
                DecisionOutcome.Result.NO_VALID_HOST, "scheduler.no_valid_host", "x", null, null, "resources=VCPU:1",
                null, List.of());
        DecisionRow row = new DecisionRow(
                trace.id(), "select", "no_valid_host", "p", "f", null, List.of(), List.of(), null,
                RecordBody.of(trace, ending), null);

        JsonNode host = parse(new RecordedDecision(row).host("host-0001").render(true));
        assertThat(host.get("verdict").asText()).isEqualTo("not_offered");
        assertThat(host.get("stage").asText()).isEqualTo("placement");
    }

    @Test
    void keepsOnlyCountsOfRoundsThatExceedTheSizeLimit() {
        RecordedDecision recorded = recorded(decide("num_instances: 900", hosts(1_000, 1_000)));

        JsonNode rounds = parse(recorded.render()).get("instances");
        assertThat(rounds).hasSize(900);
        assertThat(rounds.get(0).get("ranked")).hasSize(20);
        assertThat(rounds.get(899).get("ranked")).isEmpty();
        assertThat(rounds.get(899).get("passed").asInt()).isPositive();
    }

    @Test
    void theHeadOfABodyGivesTheSameSummaryAsTheWhole() {
        DecisionRow row = row(decide("", hosts(100, 60)));
        String body = new String(row.body(), StandardCharsets.UTF_8);
        String begun = body.substring(0, body.indexOf("\"rounds\":[") + "\"rounds\":[".length());
        DecisionRow listed = new DecisionRow(
                row.id(), row.kind(), row.result(), row.project(), row.flavor(), row.name(), row.instances(),
                row.hosts(), null, begun.getBytes(StandardCharsets.UTF_8), null);

        assertThat(RecordedDecision.listed(listed).summary()).isEqualTo(new RecordedDecision(row).summary());
        assertThat(RecordedDecision.listed(row).summary()).isEqualTo(new RecordedDecision(row).summary());
    }

    @Test
    void theHeadOfABodyHasRoomForEscapedTexts() {
        String worst = "\u0001".repeat(10_000);
        DecisionTrace trace = DecisionTrace.of(new DecisionTrace.Request(
                DecisionTrace.Kind.SELECT, null, "req-" + UUID.randomUUID(), List.of(UUID.randomUUID()), "p", "f",
                RequestNames.NONE));
        DecisionOutcome ending = new DecisionOutcome(
                DecisionOutcome.Result.NO_VALID_HOST, "scheduler.no_valid_host", worst, worst, null, null, null,
                List.of());
        byte[] body = RecordBody.of(trace, ending);
        byte[] begun = Arrays.copyOf(body, Math.min(body.length, RecordStore.HEAD_MAX));
        DecisionRow row = new DecisionRow(
                trace.id(), "select", "no_valid_host", "p", "f", null, List.of(), List.of(), null, begun, null);

        assertThat(RecordedDecision.listed(row).summary().get("tenant_detail").asText())
                .startsWith(worst.substring(0, 2_000));
    }
}
