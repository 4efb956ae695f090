package io.berth.scheduler.selection;

import static io.berth.scheduler.Written.host;
import static io.berth.scheduler.Written.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.claim.AttemptListener;
import io.berth.scheduler.claim.ClaimCandidate;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.InMemoryPlacement.Fate;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.RemainingCapacity;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.trace.DecisionTrace;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RAMWeigher;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Tests the claims of several instances: together, or one by one after a refusal. Hosts a, b and c have descending
 * memory.
 */
class RoundsTest {
    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 1).with("b", 1).with("c", 1);
    private final List<UUID> two = List.of(UUID.randomUUID(), UUID.randomUUID());
    private final List<String> ended = new ArrayList<>();
    private final DecisionTrace trace = DecisionTrace.forAnalysis("req-1");
    private long number;

    /** Claims in the in-memory placement, and notes the calls that would write a record. */
    private final class Noted implements ClaimStrategy {
        private final ClaimLoop loop = new ClaimLoop(placement);
        private final ClaimLoop.RequestFence fence =
                new ClaimLoop.RequestFence(() -> ++number, _ -> Uni.createFrom().voidItem());

        @Override
        public boolean isRecorded() {
            return true;
        }

        @Override
        public <H> Uni<ClaimOutcome<H>> claimFirst(
                Consumer consumer, Grouping<H> grouping, List<ClaimCandidate<H>> ranked, AttemptListener<H> attempts) {
            return loop.claimFirst(
                    consumer, placement.heldNow(consumer.uuid()), new ClaimWrite.Add(), null, ranked, attempts,
                    fence);
        }

        @Override
        public <H> Uni<ClaimOutcome<List<H>>> claimTogether(List<Choice<H>> choices,
                AttemptListener<List<H>> attempts) {
            return loop.claimTogether(
                    choices.stream()
                            .map(each -> new ClaimLoop.ClaimTarget<>(
                                    each.consumer(), placement.heldNow(each.consumer().uuid()), null, each.host(),
                                    each.request()))
                            .toList(),
                    new ClaimWrite.Add(), attempts, fence);
        }

        @Override
        public Uni<Boolean> complete(String answer, List<String> registrations) {
            ended.add("placed " + registrations.size());
            return Uni.createFrom().item(true);
        }

        @Override
        public Uni<Void> rollBackFailed(boolean mayHold) {
            ended.add("rolled back " + mayHold);
            return Uni.createFrom().voidItem();
        }
    }

    private static HostState offered(String name, int memory) {
        var candidate = new AllocationCandidate(Map.of(name, Map.of("VCPU", 1L)), Map.of());
        return host("host: '%s', free_ram_mb: %d, total_usable_ram_mb: 99000".formatted(name, memory))
                .withCandidates(List.of(candidate));
    }

    private SelectionOutcome place(HostState... hosts) {
        RequestSpec spec = request("num_instances: 2, instance_uuids: ['%s', '%s']"
                .formatted(two.getFirst(), two.getLast()));
        var inputs = new SchedulingInputs(
                Options.DEFAULTS, new EnabledFilters(List.of()), new EnabledWeighers(List.of(new RAMWeigher())),
                new Random(1), SchedulingInputs.Detail.COUNTS);
        Rounds rounds = new Rounds(
                Scheduling.begin(spec, List.of(hosts), inputs), true, spec, true, null, new Noted(),
                selected -> selected.with(new ResponseWriter.RenderedResponse("{}", "{}")), trace)
                .planFirstClaim(new RemainingCapacity(AllocationCandidates.NONE));
        return rounds.open()
                .chain(Step.then(Rounds::claim))
                .chain(Step.then(Rounds::addAlternates))
                .chain(Step.then(rounds::close))
                .map(step -> Step.endOf(step).outcome())
                .await().atMost(Duration.ofMinutes(5));
    }

    private List<String> held() {
        return two.stream().map(each -> String.join("+", placement.heldBy(each).keySet())).toList();
    }

    private List<String> traced() {
        return trace.attempts().stream()
                .map(each -> two.indexOf(each.instance()) + " " + each.host() + " " + each.outcome())
                .toList();
    }

    private static List<List<String>> hosts(SelectionOutcome outcome) {
        return ((SelectionOutcome.Selected) outcome).selections().stream()
                .map(ofInstance -> ofInstance.stream().map(each -> each.host().host()).toList())
                .toList();
    }

    /** Places on three hosts, which keep this order after the first instance. */
    private SelectionOutcome placeOnThree() {
        return place(offered("a", 30_000), offered("b", 20_000), offered("c", 10_000));
    }

    @Test
    void claimsBothInOneWrite() {
        placement.with("a", 2);
        SelectionOutcome outcome = placeOnThree();
        assertThat(held()).containsExactly("a", "a");
        assertThat(hosts(outcome)).allSatisfy(each -> assertThat(each).startsWith("a").hasSize(3));
        assertThat(placement.calls()).containsExactly("POST 2");
        assertThat(traced()).containsExactly("0 a claimed", "1 a claimed");
        assertThat(ended).containsExactly("placed 2");
    }

    @Test
    void claimsOneByOneIfBothTogetherAreRefused() {
        SelectionOutcome outcome = placeOnThree();
        assertThat(held()).containsExactly("a", "b");
        assertThat(hosts(outcome)).extracting(List::getFirst).containsExactly("a", "b");
        assertThat(placement.calls()).containsExactly("POST 2", "PUT a", "PUT a", "PUT b");
        assertThat(traced()).containsExactly("0 a claimed", "1 a refused", "1 b claimed");
        assertThat(ended).containsExactly("placed 2");
    }

    @Test
    void rollsBackIfTheSecondInstanceHasNoHost() {
        SelectionOutcome outcome = place(offered("a", 30_000));
        assertThat(outcome.isFor(ErrorCode.NO_VALID_HOST)).isTrue();
        assertThat(placement.calls()).containsExactly("POST 2", "PUT a", "PUT a");
        assertThat(ended).containsExactly("rolled back true");
    }

    @Test
    void rollsBackWithoutAllocationsIfNeitherIsClaimed() {
        placement.next(Fate.DENIED);
        assertThat(placeOnThree().isFor(ErrorCode.REQUEST_INVALID)).isTrue();
        assertThat(placement.calls()).containsExactly("POST 2");
        assertThat(traced()).containsExactly("0 a denied", "1 a denied");
        assertThat(ended).containsExactly("rolled back false");
    }

    @Test
    void stopsClaimingIfTheOutcomeOfAClaimIsUnknown() {
        placement.with("a", 2).next(Fate.LOST_AFTER_COMMIT).unreadable();
        assertThat(placeOnThree().isFor(ErrorCode.PLACEMENT_UNAVAILABLE)).isTrue();
        assertThat(placement.calls()).containsOnly("POST 2", "SETTLE 2").startsWith("POST 2", "SETTLE 2");
        assertThat(ended).containsExactly("rolled back true");
    }

    @Test
    void claimsNothingWithoutAHostForTheFirst() {
        assertThat(place().isFor(ErrorCode.NO_VALID_HOST)).isTrue();
        assertThat(placement.calls()).isEmpty();
    }
}
