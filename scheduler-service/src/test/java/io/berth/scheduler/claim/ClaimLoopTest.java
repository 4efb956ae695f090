package io.berth.scheduler.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.InMemoryPlacement.Fate;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the loop over claim candidates against a placement in memory that refuses, delays or loses claims. */
class ClaimLoopTest {
    private static final Consumer CONSUMER = new Consumer(UUID.randomUUID(), "project", "user", "req-1");

    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 1).with("b", 1).with("c", 1);

    private long number;

    /** No other request owns the record. */
    private final ClaimLoop.RequestFence fence =
            new ClaimLoop.RequestFence(() -> ++number, _ -> Uni.createFrom().voidItem());

    private static AllocationRequest one(String provider) {
        return new AllocationRequest(Map.of(provider, Map.of("VCPU", 1L)), Map.of());
    }

    private ClaimOutcome<String> claim(String... hosts) {
        return claimBeside(AllocationsResult.Allocations.NOTHING, hosts);
    }

    private ClaimOutcome<String> claimBeside(AllocationsResult.Allocations held, String... hosts) {
        return claim(held, Stream.of(hosts).map(host -> new ClaimCandidate<>(host, one(host))).toList());
    }

    private ClaimOutcome<String> claim(AllocationsResult.Allocations held, List<ClaimCandidate<String>> ranked) {
        return new ClaimLoop(placement)
                .claimFirst(CONSUMER, held, new ClaimWrite.Add(), null, ranked, AttemptListener.ignoring(), fence)
                .await().atMost(Duration.ofMinutes(5));
    }

    @Test
    void stopsAfterTheFirstSuccessfulClaim() {
        assertThat(claim("a", "b", "c")).isEqualTo(new ClaimOutcome.Selected<>("a", one("a")));
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    @Test
    void continuesAfterAFullHost() {
        placement.with("a", 0).with("b", 0);
        assertThat(claim("a", "b", "c")).isEqualTo(new ClaimOutcome.Selected<>("c", one("c")));
        assertThat(placement.calls()).containsExactly("PUT a", "PUT b", "PUT c");
    }

    @Test
    void returnsTheNumberOfRefusalsAndTheLastReason() {
        placement.with("a", 0).with("b", 0);
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.NoneLeft<>(2, "b is full"));
        assertThat(claim()).isEqualTo(new ClaimOutcome.NoneLeft<>(0, ""));
    }

    @Test
    void continuesAfterProvidersThatKeepChanging() {
        placement.next(Fate.BUSY);
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Selected<>("b", one("b")));
    }

    @Test
    void stopsAtAnErrorThatNoOtherHostCanAvoid() {
        placement.next(Fate.DENIED);
        assertThat(claim("a", "b", "c")).isEqualTo(
                new ClaimOutcome.Denied<>(new ClaimResult.Denied(400, "project_id is too long")));
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    @Test
    void triesTheOtherCandidatesOfAHostBeforeTheNextHost() {
        placement.with("a", 0).with("a2", 1);
        List<ClaimCandidate<String>> ranked = List.of(
                new ClaimCandidate<>("host", List.of(one("a"), one("a2"), one("c"))),
                new ClaimCandidate<>("next", one("b")));
        assertThat(claim(AllocationsResult.Allocations.NOTHING, ranked))
                .isEqualTo(new ClaimOutcome.Selected<>("host", one("a2")));
        assertThat(placement.calls()).containsExactly("PUT a", "PUT a2");
    }

    /**
     * Claims with a reservation for each host, by the refusals of the group; a host without one gets its reservation.
     */
    private ClaimOutcome<String> claimWithReservations(
            Map<String, GroupReservation.Result> refusals, List<String> reservedHosts,
            String... hosts) {
        GroupReservation<String> reservation = host -> {
            reservedHosts.add(host);
            return Uni.createFrom().item(refusals.getOrDefault(host, new GroupReservation.Result.Reserved()));
        };
        List<ClaimCandidate<String>> ranked =
                Stream.of(hosts).map(host -> new ClaimCandidate<>(host, one(host))).toList();
        return new ClaimLoop(placement)
                .claimFirst(
                        CONSUMER, AllocationsResult.Allocations.NOTHING, new ClaimWrite.Add(), reservation, ranked,
                        AttemptListener.ignoring(), fence)
                .await().atMost(Duration.ofMinutes(5));
    }

    @Test
    void claimsOnlyHostsWithAReservation() {
        placement.with("a", 5).with("b", 0).with("c", 5);
        List<String> reservedHosts = new ArrayList<>();
        assertThat(claimWithReservations(
                Map.of("a", new GroupReservation.Result.Refused("full", false)), reservedHosts, "a", "b", "c"))
                .isEqualTo(new ClaimOutcome.Selected<>("c", one("c")));
        assertThat(reservedHosts).containsExactly("a", "b", "c");
        assertThat(placement.calls()).containsExactly("PUT b", "PUT c");
    }

    @Test
    void stopsWhenTheGroupIsElsewhereAndReturnsTheRefusalOtherwise() {
        placement.with("a", 5).with("b", 5);
        List<String> reservedHosts = new ArrayList<>();
        assertThat(claimWithReservations(
                Map.of("a", new GroupReservation.Result.Refused("on b", true)), reservedHosts, "a", "b"))
                .isEqualTo(new ClaimOutcome.GroupElsewhere<>("on b"));
        assertThat(claimWithReservations(
                Map.of("a", new GroupReservation.Result.Refused("full", false)), reservedHosts, "a"))
                .isEqualTo(new ClaimOutcome.NoneLeft<>(1, "full"));
        assertThat(placement.calls()).isEmpty();
        assertThat(reservedHosts).containsExactly("a", "a");
    }

    private ClaimOutcome<String> claimAThenB(ClaimLoop.RequestFence fence) {
        return new ClaimLoop(placement)
                .claimFirst(
                        CONSUMER,
                        AllocationsResult.Allocations.NOTHING,
                        new ClaimWrite.Add(),
                        null,
                        List.of(new ClaimCandidate<>("a", one("a")), new ClaimCandidate<>("b", one("b"))),
                        AttemptListener.ignoring(),
                        fence)
                .await().atMost(Duration.ofMinutes(5));
    }

    /** Another request owns the record, or has sent the response, after this many claims. */
    private ClaimLoop.RequestFence ownedUntil(int claims) {
        return new ClaimLoop.RequestFence(
                fence.next(), () -> Uni.createFrom().item(placement.calls().size() < claims), fence.fenced());
    }

    @Test
    void makesOnlyThePlannedClaimOnceAnotherRequestResponded() {
        placement.with("a", 0);
        assertThat(claimAThenB(ownedUntil(1))).isEqualTo(new ClaimOutcome.Overtaken<>());
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    /** A settlement would hide the planned claim from the other request. */
    @Test
    void settlesNothingOnceAnotherRequestResponded() {
        placement.next(Fate.LOST_AFTER_COMMIT);
        assertThat(claimAThenB(ownedUntil(1))).isEqualTo(new ClaimOutcome.Overtaken<>());
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    @Test
    void returnsUnavailableInsteadOfARefusalWhenAClaimIsLostTwice() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE).with("b", 0);
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Denied<>(
                new ClaimResult.Denied(
                        503, "placement did not respond to a claim; the last attempt failed with: b is full")));
        assertThat(placement.calls()).containsExactly("PUT a", "SETTLE 1", "PUT a", "SETTLE 1", "PUT b");
    }

    @Test
    void stopsAfterThreeLostClaims() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claim("a", "b", "c")).isEqualTo(new ClaimOutcome.Denied<>(
                new ClaimResult.Denied(
                        503, "placement did not respond to a claim; the last attempt failed with: request lost")));
        assertThat(placement.calls()).containsExactly(
                "PUT a", "SETTLE 1", "PUT a", "SETTLE 1", "PUT b", "SETTLE 1");
    }

    @Test
    void findsAClaimWhoseResponseWasLost() {
        placement.next(Fate.LOST_AFTER_COMMIT);
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Selected<>("a", one("a")));
        assertThat(placement.calls()).containsExactly("PUT a", "SETTLE 1");
    }

    @Test
    void refusesAClaimThatArrivesAfterItsSettlement() {
        placement.next(Fate.LATE).holdingBack();
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Selected<>("a", one("a")));
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a");
        assertThat(placement.heldNow(CONSUMER.uuid()).consumerGeneration()).as("the consumer was written once")
                .isEqualTo(1);
    }

    @Test
    void returnsUnsettledWhilePlacementDoesNotRespond() {
        placement.next(Fate.LOST_AFTER_COMMIT).unreadable();
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Unsettled<>("answer lost; then cable cut"));
        assertThat(placement.calls()).containsExactly("PUT a", "SETTLE 1", "SETTLE 1", "SETTLE 1");
    }

    @Test
    void claimsNothingOnceAnotherOwnerSettled() {
        placement.settle(1_000, List.of(CONSUMER.uuid()), "req-2").await().indefinitely();
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Overtaken<>());
        assertThat(placement.heldBy(CONSUMER.uuid())).isEmpty();
    }

    @Test
    void repeatsALostClaimThatDidNotArrive() {
        placement.next(Fate.LOST_BEFORE);
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Selected<>("a", one("a")));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a");
    }

    @Test
    void continuesWithTheNextHostAfterAClaimIsLostTwice() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Selected<>("b", one("b")));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("b");
    }

    @Test
    void abortsWhenAnotherClientClaimedForTheConsumer() {
        assertThat(claim("c")).isInstanceOf(ClaimOutcome.Selected.class);
        assertThat(claim("a", "b")).isEqualTo(new ClaimOutcome.Aborted<>("consumer generation conflict"));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("c");
    }

    /** Claims one unit of c and returns the allocations with their generation. */
    private AllocationsResult.Allocations holdingC() {
        placement.putAllocations(CONSUMER.claim(AllocationsResult.Allocations.NOTHING, one("c")), "req-0").await()
                .indefinitely();
        placement.calls().clear();
        return placement.heldNow(CONSUMER.uuid());
    }

    @Test
    void keepsHeldAllocationsBesideTheClaim() {
        AllocationsResult.Allocations held = holdingC();
        placement.with("a", 0);
        assertThat(claimBeside(held, "a", "b")).isEqualTo(new ClaimOutcome.Selected<>("b", one("b")));
        assertThat(placement.calls()).containsExactly("PUT c+a", "PUT c+b");
        assertThat(placement.heldBy(CONSUMER.uuid())).isEqualTo(
                Map.of("b", Map.of("VCPU", 1L), "c", Map.of("VCPU", 1L)));
    }

    @Test
    void prefersHeldAllocationsToAClaimOnTheSameProvider() {
        AllocationsResult.Allocations held = holdingC();
        AllocationRequest more = new AllocationRequest(
                Map.of("b", Map.of("VCPU", 1L), "c", Map.of("VCPU", 5L)), Map.of());
        assertThat(Consumer.mergeHeld(held, more).allocations())
                .isEqualTo(Map.of("b", Map.of("VCPU", 1L), "c", Map.of("VCPU", 1L)));
    }

    @Test
    void findsALostClaimBesideHeldAllocations() {
        AllocationsResult.Allocations held = holdingC();
        placement.next(Fate.LOST_AFTER_COMMIT);
        assertThat(claimBeside(held, "a", "b")).isEqualTo(new ClaimOutcome.Selected<>("a", one("a")));
        assertThat(placement.calls()).containsExactly("PUT c+a", "SETTLE 1");
    }

    @Test
    void continuesAfterLostClaimsWithHeldAllocations() {
        AllocationsResult.Allocations held = holdingC();
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claimBeside(held, "a", "b")).isEqualTo(new ClaimOutcome.Selected<>("b", one("b")));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("b", "c");
    }

    @Test
    void abortsWhenTheConsumerChangedSinceItWasRead() {
        AllocationsResult.Allocations held = holdingC();
        assertThat(claimBeside(held, "a")).isInstanceOf(ClaimOutcome.Selected.class);
        assertThat(claimBeside(held, "b")).isEqualTo(new ClaimOutcome.Aborted<>("consumer generation conflict"));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a", "c");
    }

    private final List<Consumer> three = Stream
            .generate(() -> new Consumer(UUID.randomUUID(), "project", "user", "req-1"))
            .limit(3)
            .toList();
    private final List<String> attempts = new ArrayList<>();

    /** Claims the first instance on a, the second on b, the third on c. */
    private ClaimOutcome<List<String>> claimTogether(GroupReservation<String> reservation) {
        List<String> hosts = List.of("a", "b", "c");
        return new ClaimLoop(placement)
                .claimTogether(
                        IntStream.range(0, 3)
                                .mapToObj(i -> new ClaimLoop.ClaimTarget<>(
                                        three.get(i), placement.heldNow(three.get(i).uuid()), reservation, hosts.get(i),
                                        one(hosts.get(i))))
                                .toList(),
                        new ClaimWrite.Add(),
                        (all, sum, came, detail) -> attempts.add(came + " " + all + " " + sum.allocations().keySet()),
                        fence)
                .await().atMost(Duration.ofMinutes(5));
    }

    private List<String> heldByThree() {
        return three.stream().flatMap(each -> placement.heldBy(each.uuid()).keySet().stream()).toList();
    }

    @Test
    void claimsSeveralInstancesInOneWrite() {
        assertThat(claimTogether(null)).isInstanceOf(ClaimOutcome.Selected.class);
        assertThat(heldByThree()).containsExactly("a", "b", "c");
        assertThat(placement.calls()).containsExactly("POST 3");
        assertThat(attempts).containsExactly("CLAIMED [a, b, c] [a, b, c]");
    }

    @Test
    void claimsNoneOfSeveralInstancesIfOneIsRefused() {
        placement.with("c", 0);
        assertThat(claimTogether(null)).isEqualTo(new ClaimOutcome.NoneLeft<>(1, "c is full"));
        assertThat(heldByThree()).isEmpty();
        assertThat(placement.calls()).containsExactly("POST 3");
    }

    @Test
    void settlesAJointClaimWhoseResponseWasLost() {
        placement.next(Fate.LOST_AFTER_COMMIT);
        assertThat(claimTogether(null)).isInstanceOf(ClaimOutcome.Selected.class);
        assertThat(placement.calls()).containsExactly("POST 3", "SETTLE 3");
        assertThat(attempts).containsExactly("CLAIMED_UNANSWERED [a, b, c] [a, b, c]");
    }

    @Test
    void stopsAfterAJointClaimIsLostTwice() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claimTogether(null)).isEqualTo(new ClaimOutcome.Denied<>(
                new ClaimResult.Denied(
                        503, "placement did not respond to a claim; the last attempt failed with: request lost")));
        assertThat(placement.calls()).containsExactly("POST 3", "SETTLE 3", "POST 3", "SETTLE 3");
        assertThat(heldByThree()).isEmpty();
    }

    @Test
    void refusesAJointClaimThatArrivesAfterItsSettlement() {
        placement.next(Fate.LATE).holdingBack();
        assertThat(claimTogether(null)).isInstanceOf(ClaimOutcome.Selected.class);
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        for (Consumer each : three) {
            assertThat(placement.heldNow(each.uuid()).consumerGeneration()).as("the consumer was written once")
                    .isEqualTo(1);
        }
    }

    @Test
    void claimsNoneOfSeveralInstancesOnceAnotherOwnerSettledOne() {
        placement.settle(1_000, List.of(three.getLast().uuid()), "req-2").await().indefinitely();
        assertThat(claimTogether(null)).isEqualTo(new ClaimOutcome.Overtaken<>());
        assertThat(heldByThree()).isEmpty();
    }

    @Test
    void claimsNoneOfSeveralInstancesIfOneLacksAReservation() {
        List<String> reservedHosts = new ArrayList<>();
        Map<String, GroupReservation.Result> refusals = new HashMap<>();
        GroupReservation<String> reservation = host -> {
            reservedHosts.add(host);
            return Uni.createFrom().item(refusals.getOrDefault(host, new GroupReservation.Result.Reserved()));
        };
        refusals.put("b", new GroupReservation.Result.Refused("full", false));
        assertThat(claimTogether(reservation)).isEqualTo(new ClaimOutcome.NoneLeft<>(1, "full"));
        refusals.put("b", new GroupReservation.Result.Refused("on d", true));
        assertThat(claimTogether(reservation)).isEqualTo(new ClaimOutcome.GroupElsewhere<>("on d"));
        assertThat(placement.calls()).isEmpty();
        refusals.clear();
        assertThat(claimTogether(reservation)).isInstanceOf(ClaimOutcome.Selected.class);
        assertThat(reservedHosts).containsExactly("a", "b", "a", "b", "a", "b", "c");
    }

    @Test
    void handlesTwentyThousandRefusalsWithoutStackOverflow() {
        String[] hosts = new String[20_000];
        for (int i = 0; i < hosts.length; i++) {
            hosts[i] = "full-" + i;
        }
        assertThat(claim(hosts)).isEqualTo(new ClaimOutcome.NoneLeft<>(20_000, "full-19999 is full"));
    }
}
