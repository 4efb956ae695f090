package io.berth.scheduler.claim;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.InMemoryPlacement.Fate;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ClaimLoopTest {
    private static final Consumer CONSUMER = new Consumer(UUID.randomUUID(), "project", "user", "req-1");

    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 1).with("b", 1).with("c", 1);

    private static AllocationRequest one(String provider) {
        return new AllocationRequest(Map.of(provider, Map.of("VCPU", 1L)), Map.of());
    }

    private Placing<String> claim(String... hosts) {
        return claimBeside(AllocationsAnswer.Held.NOTHING, hosts);
    }

    private Placing<String> claimBeside(AllocationsAnswer.Held held, String... hosts) {
        return claim(held, Stream.of(hosts).map(host -> new Claimable<>(host, one(host))).toList());
    }

    private Placing<String> claim(AllocationsAnswer.Held held, List<Claimable<String>> ranked) {
        return new ClaimLoop(placement)
                .claimFirst(CONSUMER, held, new ClaimWrite.Beside(), null, ranked, Attempts.unheard(), () -> true)
                .await().atMost(Duration.ofMinutes(5));
    }

    @Test
    void stopsAtTheFirstClaimAndStartsNoOther() {
        assertThat(claim("a", "b", "c")).isEqualTo(new Placing.Selected<>("a", one("a"), false));
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    @Test
    void goesOnBehindAHostThatIsFull() {
        placement.with("a", 0).with("b", 0);
        assertThat(claim("a", "b", "c")).isEqualTo(new Placing.Selected<>("c", one("c"), false));
        assertThat(placement.calls()).containsExactly("PUT a", "PUT b", "PUT c");
    }

    @Test
    void saysHowManyRefusedAndWhyTheLast() {
        placement.with("a", 0).with("b", 0);
        assertThat(claim("a", "b")).isEqualTo(new Placing.NoneLeft<>(2, "b is full"));
        assertThat(claim()).isEqualTo(new Placing.NoneLeft<>(0, ""));
    }

    @Test
    void goesOnBehindProvidersThatKeepChanging() {
        placement.next(Fate.BUSY);
        assertThat(claim("a", "b")).isEqualTo(new Placing.Selected<>("b", one("b"), false));
    }

    @Test
    void stopsAtWhatNoOtherHostWouldMend() {
        placement.next(Fate.DENIED);
        assertThat(claim("a", "b", "c")).isEqualTo(
                new Placing.Denied<>(new ClaimResult.Denied(400, "project_id is too long"), false));
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    @Test
    void triesTheOtherCandidatesOfAHostBeforeTheNextHost() {
        placement.with("a", 0).with("a2", 1);
        List<Claimable<String>> ranked = List.of(
                new Claimable<>("host", List.of(one("a"), one("a2"), one("c"))), new Claimable<>("next", one("b")));
        assertThat(claim(AllocationsAnswer.Held.NOTHING, ranked)).isEqualTo(new Placing.Selected<>("host", one("a2"), false));
        assertThat(placement.calls()).containsExactly("PUT a", "PUT a2");
    }

    /** Hosts by what the group says there: null for a seat. */
    private Placing<String> claimSeated(Map<String, Seating.Seated> refusals, List<String> asked, String... hosts) {
        Seating<String> seating = (host, mayHold) -> {
            asked.add(host + mayHold);
            return Uni.createFrom().item(refusals.getOrDefault(host, new Seating.Seated.Taken()));
        };
        List<Claimable<String>> ranked =
                Stream.of(hosts).map(host -> new Claimable<>(host, one(host))).toList();
        return new ClaimLoop(placement)
                .claimFirst(CONSUMER, AllocationsAnswer.Held.NOTHING, new ClaimWrite.Beside(), seating, ranked, Attempts.unheard(), () -> true)
                .await().atMost(Duration.ofMinutes(5));
    }

    @Test
    void claimsOnlyWhereItHasASeat() {
        placement.with("a", 5).with("b", 0).with("c", 5);
        List<String> asked = new ArrayList<>();
        assertThat(claimSeated(Map.of("a", new Seating.Seated.Refused("full", false)), asked, "a", "b", "c"))
                .isEqualTo(new Placing.Selected<>("c", one("c"), false));
        assertThat(asked).containsExactly("a[]", "b[]", "c[]");
        assertThat(placement.calls()).containsExactly("PUT b", "PUT c");
    }

    @Test
    void endsWhereTheGroupIsElsewhereAndSaysWhyWhereNoSeatIsLeft() {
        placement.with("a", 5).with("b", 5);
        List<String> asked = new ArrayList<>();
        assertThat(claimSeated(Map.of("a", new Seating.Seated.Refused("on b", true)), asked, "a", "b"))
                .isEqualTo(new Placing.GroupElsewhere<>("on b"));
        assertThat(claimSeated(Map.of("a", new Seating.Seated.Refused("full", false)), asked, "a"))
                .isEqualTo(new Placing.NoneLeft<>(1, "full"));
        assertThat(placement.calls()).isEmpty();
        assertThat(asked).containsExactly("a[]", "a[]");
    }

    @Test
    void staysInDoubtWhereTheGroupIsElsewhere() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claimSeated(Map.of("b", new Seating.Seated.Refused("on c", true)), new ArrayList<>(), "a", "b"))
                .isEqualTo(new Placing.InDoubt<>(one("a"), "a claim had no answer; then on c"));
    }

    @Test
    void keepsTheSeatWhereAClaimMayStillCommit() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE).with("a", 5).with("b", 5);
        List<String> asked = new ArrayList<>();
        assertThat(claimSeated(Map.of(), asked, "a", "b")).isEqualTo(new Placing.Selected<>("b", one("b"), true));
        assertThat(asked).containsExactly("a[]", "b[a, a]");
    }

    @Test
    void staysInDoubtWhereTheNextSeatIsNotToBeHad() {
        placement.next(Fate.LATE, Fate.LOST_BEFORE).holdingBack();
        Seating<String> seating = (host, mayHold) -> mayHold.isEmpty()
                ? Uni.createFrom().item(new Seating.Seated.Taken())
                : Uni.createFrom().failure(new PgException("canceling statement due to lock timeout", "ERROR", "55P03", null));
        Placing<String> placing = new ClaimLoop(placement)
                .claimFirst(
                        CONSUMER, AllocationsAnswer.Held.NOTHING, new ClaimWrite.Beside(), seating,
                        List.of(new Claimable<>("a", one("a")), new Claimable<>("b", one("b"))),
                        Attempts.unheard(), () -> true)
                .await().atMost(Duration.ofMinutes(5));
        assertThat(placing).isEqualTo(new Placing.InDoubt<>(
                one("a"), "a claim had no answer; then the database did not grant a lock in time"));
        placement.arriveLate();
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a");
    }

    private Placing<String> claimAThenB(ClaimLoop.Turn turn) {
        return new ClaimLoop(placement)
                .claimFirst(
                        CONSUMER,
                        AllocationsAnswer.Held.NOTHING,
                        new ClaimWrite.Beside(),
                        null,
                        List.of(new Claimable<>("a", one("a")), new Claimable<>("b", one("b"))),
                        Attempts.unheard(),
                        turn)
                .await().atMost(Duration.ofMinutes(5));
    }

    @Test
    void claimsNothingMoreOnceItMayNot() {
        placement.with("a", 0);
        var may = List.of(true, false).iterator();
        assertThat(claimAThenB(may::next)).isEqualTo(new Placing.Overtaken<>(false));
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    @Test
    void triesNoOtherClaimWhereTheFirstIsSomebodysAnswerByNow() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        List<String> asked = new ArrayList<>();
        ClaimLoop.Turn turn = new ClaimLoop.Turn() {
            @Override
            public boolean isSure() {
                return true;
            }

            @Override
            public Uni<Boolean> mayGoOn() {
                asked.addAll(placement.calls());
                return Uni.createFrom().item(false);
            }
        };
        assertThat(claimAThenB(turn)).isEqualTo(new Placing.Overtaken<>(true));
        assertThat(asked).startsWith("PUT a").isEqualTo(placement.calls());
    }

    @Test
    void isNoRefusalWhereAClaimWithoutAnAnswerMayStillCommit() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE).with("b", 0);
        assertThat(claim("a", "b")).isEqualTo(new Placing.InDoubt<>(
                one("a"), "a claim had no answer, and no other holds; the last: b is full"));
        assertThat(placement.calls()).containsExactly("PUT a", "GET", "PUT a", "GET", "PUT b");
    }

    @Test
    void claimsNoMoreWhereNothingThatIsWrittenIsAnswered() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claim("a", "b", "c")).isEqualTo(
                new Placing.InDoubt<>(one("b"), "3 claims had no answer, the last: request lost"));
        assertThat(placement.calls()).containsExactly("PUT a", "GET", "PUT a", "GET", "PUT b", "GET");
    }

    @Test
    void findsAClaimWhoseAnswerWasLost() {
        placement.next(Fate.LOST_AFTER_COMMIT);
        assertThat(claim("a", "b")).isEqualTo(new Placing.Selected<>("a", one("a"), false));
        assertThat(placement.calls()).containsExactly("PUT a", "GET");
    }

    @Test
    void repeatsALostClaimThatDidNotArrive() {
        placement.next(Fate.LOST_BEFORE);
        assertThat(claim("a", "b")).isEqualTo(new Placing.Selected<>("a", one("a"), true));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a");
    }

    @Test
    void goesOnWhenALostClaimDidNotArriveTwice() {
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claim("a", "b")).isEqualTo(new Placing.Selected<>("b", one("b"), true));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("b");
    }

    @Test
    void recognisesItsOwnClaimThatCommittedLate() {
        placement.next(Fate.LATE);
        assertThat(claim("a", "b")).isEqualTo(new Placing.Selected<>("a", one("a"), false));
        assertThat(placement.calls()).containsExactly("PUT a", "GET", "PUT a", "GET");
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a");
    }

    @Test
    void staysInDoubtWhenNobodyCanBeAsked() {
        placement.next(Fate.LOST_AFTER_COMMIT).unreadable();
        assertThat(claim("a", "b")).isInstanceOfSatisfying(Placing.InDoubt.class,
                doubt -> assertThat(doubt.request()).isEqualTo(one("a")));
        assertThat(placement.calls()).containsExactly("PUT a", "GET", "GET", "GET");
    }

    @Test
    void abortsWhenSomebodyElseHoldsTheConsumer() {
        assertThat(claim("c")).isInstanceOf(Placing.Selected.class);
        assertThat(claim("a", "b")).isEqualTo(new Placing.Aborted<>("consumer generation conflict"));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("c");
    }

    @Test
    void placesAConsumerThatPlacementKnowsThoughItHoldsNothing() {
        placement.withEmptyConsumer(CONSUMER.uuid()).with("a", 0);
        assertThat(claim("a", "b")).isEqualTo(new Placing.Selected<>("b", one("b"), false));
        assertThat(placement.calls()).containsExactly("PUT a", "GET", "PUT a", "PUT b");
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("b");
    }

    /** What made the consumer may be the claim that had no answer, which is about to commit. */
    @Test
    void staysInDoubtWhereAClaimWithoutAnAnswerHasMadeTheConsumer() {
        placement.next(Fate.CONSUMER_FIRST).holdingBack();
        assertThat(claim("a", "b")).isEqualTo(new Placing.InDoubt<>(one("a"), "consumer generation conflict"));
        placement.arriveLate();
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a");
    }

    @Test
    void staysInDoubtWhereAClaimOfAnEarlierWalkMayHaveMadeTheConsumer() {
        placement.withEmptyConsumer(CONSUMER.uuid());
        var turn = new ClaimLoop.Turn() {
            @Override
            public boolean isSure() {
                return true;
            }

            @Override
            public boolean mayHold() {
                return true;
            }
        };
        assertThat(claimAThenB(turn)).isEqualTo(new Placing.InDoubt<>(one("a"), "consumer generation conflict"));
        assertThat(placement.calls()).containsExactly("PUT a");
    }

    /** Holds a unit of c already, at this generation. */
    private AllocationsAnswer.Held holdingC() {
        placement.putAllocations(CONSUMER.claim(AllocationsAnswer.Held.NOTHING, one("c")), "req-0").await().indefinitely();
        placement.calls().clear();
        return placement.heldNow(CONSUMER.uuid());
    }

    @Test
    void claimsBesideWhatTheConsumerHolds() {
        AllocationsAnswer.Held held = holdingC();
        placement.with("a", 0);
        assertThat(claimBeside(held, "a", "b")).isEqualTo(new Placing.Selected<>("b", one("b"), false));
        assertThat(placement.calls()).containsExactly("PUT c+a", "PUT c+b");
        assertThat(placement.heldBy(CONSUMER.uuid())).isEqualTo(
                Map.of("b", Map.of("VCPU", 1L), "c", Map.of("VCPU", 1L)));
    }

    @Test
    void keepsWhatIsHeldWhereTheClaimNamesTheSameProvider() {
        AllocationsAnswer.Held held = holdingC();
        AllocationRequest more = new AllocationRequest(
                Map.of("b", Map.of("VCPU", 1L), "c", Map.of("VCPU", 5L)), Map.of());
        assertThat(Consumer.beside(held, more).allocations())
                .isEqualTo(Map.of("b", Map.of("VCPU", 1L), "c", Map.of("VCPU", 1L)));
    }

    @Test
    void findsALostClaimBesideWhatTheConsumerHolds() {
        AllocationsAnswer.Held held = holdingC();
        placement.next(Fate.LOST_AFTER_COMMIT);
        assertThat(claimBeside(held, "a", "b")).isEqualTo(new Placing.Selected<>("a", one("a"), false));
        assertThat(placement.calls()).containsExactly("PUT c+a", "GET");
    }

    @Test
    void goesOnWhenALostClaimLeftTheConsumerAsItWas() {
        AllocationsAnswer.Held held = holdingC();
        placement.next(Fate.LOST_BEFORE, Fate.LOST_BEFORE);
        assertThat(claimBeside(held, "a", "b")).isEqualTo(new Placing.Selected<>("b", one("b"), true));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("b", "c");
    }

    @Test
    void abortsWhenTheConsumerChangedSinceItWasRead() {
        AllocationsAnswer.Held held = holdingC();
        assertThat(claimBeside(held, "a")).isInstanceOf(Placing.Selected.class);
        assertThat(claimBeside(held, "b")).isEqualTo(new Placing.Aborted<>("consumer generation conflict"));
        assertThat(placement.heldBy(CONSUMER.uuid())).containsOnlyKeys("a", "c");
    }

    @Test
    void walksTwentyThousandRefusalsWithoutRunningOutOfStack() {
        String[] hosts = new String[20_000];
        for (int i = 0; i < hosts.length; i++) {
            hosts[i] = "full-" + i;
        }
        assertThat(claim(hosts)).isEqualTo(new Placing.NoneLeft<>(20_000, "full-19999 is full"));
    }
}
