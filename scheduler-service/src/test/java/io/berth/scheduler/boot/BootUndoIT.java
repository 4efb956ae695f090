package io.berth.scheduler.boot;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.OwnTables;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.claim.Claiming;
import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Boots that whoever made them left open, on a real PostgreSQL. */
@Tag("process")
class BootUndoIT {
    @RegisterExtension
    static final OwnTables TABLES = new OwnTables();

    private static final Map<String, Map<String, Long>> ON_A = Map.of("a", Map.of("VCPU", 1L));
    private static final Map<String, Map<String, Long>> ON_B = Map.of("b", Map.of("VCPU", 1L));
    private static final Map<String, Map<String, Long>> LARGER = Map.of("b", Map.of("VCPU", 2L));
    private static final String PLANNED = """
            {"selections": [[{"host": "a", "allocation_request": {"allocations": {"a": {"resources": {"VCPU": 1}}}}}]]}""";
    private static final int ATTEMPTS_MAX = 50;

    private final Pool pool = TABLES.pool();
    private final BootStore store = new BootStore(pool);

    private Uni<?> beforeRead = Uni.createFrom().voidItem();
    private Uni<?> beforeAnswer = Uni.createFrom().voidItem();
    private final InMemoryPlacement placement = new InMemoryPlacement() {
        @Override
        public Uni<AllocationsAnswer> getAllocations(UUID consumer, String requestId) {
            Uni<?> first = beforeRead;
            beforeRead = Uni.createFrom().voidItem();
            return first.chain(() -> super.getAllocations(consumer, requestId));
        }

        @Override
        public Uni<ClaimResult> claim(List<Claim> claims, Long number, String requestId) {
            return super.claim(claims, number, requestId).call(result -> beforeAnswer);
        }
    }.with("a", 5).with("b", 5);
    private final UUID one = UUID.randomUUID();
    private final UUID two = UUID.randomUUID();

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private Asked asked(UUID... instances) {
        return new Asked("test:" + one, "shape", List.of(instances), false, true, "req-1");
    }

    private Start start(String answer, String registration, UUID... instances) {
        Start start = new Start(asked(instances), UUID.randomUUID(), "{\"VCPU\":1}", answer, registration, null);
        assertThat(await(store.start(List.of(start), 600)).get(start.token())).isEqualTo(instances.length);
        return start;
    }

    private void put(UUID consumer, Map<String, Map<String, Long>> allocations) {
        await(placement.putAllocations(
                new Claim(
                        consumer,
                        new AllocationRequest(allocations, Map.of()),
                        placement.heldNow(consumer).consumerGeneration(),
                        "project",
                        "user"),
                "req-1"));
    }

    private Boot boot() {
        return await(store.find(asked(one))).stream()
                .filter(each -> each.key().equals("test:" + one)).findFirst().orElseThrow();
    }

    private boolean isForgotten() {
        return await(store.find(asked(one))).stream().noneMatch(each -> each.key().equals("test:" + one));
    }

    private BootUndo undo() {
        return new BootUndo(store, new Releases(placement), placement);
    }

    private Boots boots() {
        return new Boots(store, undo(), null, null, null, null, null, new Releases(placement), placement, null);
    }

    private void set(String what) {
        await(pool.preparedQuery("UPDATE open_boots SET " + what + " WHERE key = $1").execute(Tuple.of("test:" + one)));
    }

    private void nothingMayCommitAnyMore() {
        await(pool.query("UPDATE late_claims SET until = now() - interval '1 s'").execute());
        set("doubt_until = now() - interval '1 s'");
    }

    /** The lease is over. */
    private void runUntil(String what, java.util.function.BooleanSupplier condition) {
        for (int i = 0; i < ATTEMPTS_MAX && !condition.getAsBoolean(); i++) {
            set("lease_until = now() - interval '1 s'");
            await(OpenWork.run(undo()));
        }
        assertThat(condition.getAsBoolean()).as(what + ": " + await(store.find(asked(one)))).isTrue();
    }

    private boolean isRegistered(UUID instance) {
        return await(pool.preparedQuery("SELECT FROM instances WHERE uuid = $1").execute(Tuple.of(instance))).size() > 0;
    }

    @Test
    void whatCameAboutAsPlannedIsPlaced() {
        start(PLANNED, "{\"host\": \"a\"}", one);
        put(one, ON_A);
        runUntil("placed", () -> !boot().isOpen());
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        assertThat(isRegistered(one)).isTrue();
        assertThat(boot().answer()).isEqualTo(PLANNED);
    }

    @Test
    void whatNobodyHeardThatItHasBegunIsTakenBackAtOnce() throws InterruptedException {
        var plan = new Claiming.Plan(null, Set.of(Map.of("VCPU", 1L)), PLANNED, "{\"host\": \"a\"}");
        var begun = TABLES.unheard(broken -> claims(new BootStore(broken)).begin(plan));
        assertThatThrownBy(begun::join).hasMessageContaining("Connection");
        assertThat(isForgotten()).isTrue();
        assertThat(isRegistered(one)).isFalse();
    }

    private BootClaims claims(BootStore broken) {
        return new BootClaims(
                null, null, broken, new Starts(broken), null, new Leases(broken), null, asked(one), UUID.randomUUID(),
                false, new ClaimWrite.Beside(), Map.of(), Map.of(), () -> Uni.createFrom().nullItem());
    }

    @Test
    void aClaimElsewhereThanPlannedIsTakenBackAndSoIsItsRegistration() {
        Start start = start(PLANNED, "{\"host\": \"a\"}", one);
        assertThat(await(store.leavePlan(start.asked().key(), start.token()))).isTrue();
        put(one, ON_B);
        runUntil("taken back", () -> placement.heldBy(one).isEmpty() && !isRegistered(one));
        assertThat(boot().answer()).isNull();
    }

    /** As when nova-conductor claims an alternate, whose size is the same. */
    @Test
    void aClaimOfSomebodyElseStaysWhereNothingButThePlanWasTried() {
        start(PLANNED, "{\"host\": \"a\"}", one);
        put(one, ON_B);
        runUntil("looked at", () -> boot().token() == null);
        set("doubt_until = now() - interval '1 s'");
        runUntil("forgotten", this::isForgotten);
        assertThat(placement.heldBy(one)).isEqualTo(ON_B);
    }

    /** Its caller was answered, by a replica that was thought to be gone. */
    @Test
    void aPlannedClaimThatCommitsLateIsPlaced() {
        start(PLANNED, "{\"host\": \"a\"}", one);
        runUntil("looked at", () -> boot().token() == null);
        assertThat(boot().inDoubt()).isTrue();
        assertThat(isRegistered(one)).isTrue();
        put(one, ON_A);
        runUntil("placed", () -> !boot().isOpen());
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        assertThat(boot().answer()).isEqualTo(PLANNED);
    }

    @Test
    void eitherThePlanIsLeftOrItIsTheAnswer() {
        for (int round = 0; round < 20; round++) {
            Asked asked = new Asked("test:" + UUID.randomUUID(), "shape", List.of(UUID.randomUUID()), false, true, "req-1");
            Start start = new Start(asked, UUID.randomUUID(), "{\"VCPU\":1}", PLANNED, null, null);
            await(store.start(List.of(start), 600));
            Boot boot = await(store.find(asked)).getFirst();
            var left = store.leavePlan(asked.key(), start.token()).subscribeAsCompletionStage();
            var seen = store.seenAsPlanned(boot).subscribeAsCompletionStage();
            assertThat(left.join()).isNotEqualTo(seen.join());
            Boot after = await(store.find(asked)).getFirst();
            assertThat(after.isOpen()).isEqualTo(left.join());
            assertThat(after.answer()).isEqualTo(left.join() ? null : PLANNED);
        }
    }

    @Test
    void whoIsNotAskedForTheWordAnyMoreLeavesThePlanToOthers() {
        Start start = start(PLANNED, null, one);
        set("lease_until = now() - interval '1 s'");
        assertThat(await(store.take(start.asked().key(), 600, 60)).answer()).isEqualTo(PLANNED);
        assertThat(await(store.leavePlan(start.asked().key(), start.token()))).isFalse();
        assertThat(boot().answer()).isEqualTo(PLANNED);
    }

    /** Else what it claimed beside would not be found when nobody took its answer. */
    @Test
    void aRequestThatComesAgainKeepsItsOwnWord() {
        start(PLANNED, null, one);
        assertThat(await(store.seenAsPlanned(boot()))).isTrue();
        assertThat(await(store.leave(List.of(one), "test:" + one))).isEmpty();
        assertThat(await(store.owned(boot()))).hasSize(1);
        assertThat(await(store.leave(List.of(one), "another"))).isEmpty();
        assertThat(await(store.owned(boot()))).isEmpty();
    }

    @Test
    void eachFormThatTheClaimMayHaveHadIsTakenBack() {
        Start start = new Start(
                asked(one), UUID.randomUUID(), Resources.render(Set.of(Map.of("PCPU", 1L), Map.of("VCPU", 2L))), null, null, null);
        await(store.start(List.of(start), 600));
        put(one, LARGER);
        runUntil("taken back", () -> placement.heldBy(one).isEmpty());
    }

    @Test
    void halfOfSeveralIsTakenBack() {
        start(null, null, one, two);
        put(one, ON_A);
        runUntil("taken back", () -> placement.heldBy(one).isEmpty());
    }

    @Test
    void aClaimThatCommitsLateIsTakenBackToo() {
        Start cutOff = start(null, null, one, two);
        runUntil("looked at", () -> boot().token() == null);
        // Nothing was there, but whoever was cut off may have sent a claim.
        assertThat(boot().inDoubt()).isTrue();
        assertThat(boot().isOpen()).isTrue();
        assertThat(boot().token()).isNotEqualTo(cutOff.token());
        put(two, ON_B);
        runUntil("taken back", () -> placement.heldBy(two).isEmpty());
        set("doubt_until = now() - interval '1 s'");
        runUntil("forgotten", this::isForgotten);
    }

    /** A new claim of the same instance comes to the generation that the release names. */
    @Test
    void nothingIsClaimedWhileAReleaseMayCommitLate() {
        start(null, null, one);
        put(one, ON_A);
        placement.holdingBack().next(InMemoryPlacement.Fate.LATE);
        runUntil("released", () -> placement.heldBy(one).isEmpty());
        assertThat(boot().isReleasing()).isTrue();
        Boots boots = boots();
        set("lease_until = now() - interval '1 s'");
        assertThat(await(boots.known(asked(one)))).isInstanceOf(Known.Refused.class);
        set("doubt_until = now() - interval '1 s'");
        runUntil("forgotten", this::isForgotten);
    }

    /** Of an answer that nobody took. */
    @Test
    void aReleaseOfAPlacedRequestMayCommitLateToo() {
        start(PLANNED, "{\"host\": \"a\"}", one);
        put(one, ON_A);
        await(store.seenAsPlanned(boot()));
        placement.holdingBack().next(InMemoryPlacement.Fate.LATE);
        await(boots().retract(asked(one)));
        await(boots().retract(asked(one)));
        assertThat(await(boots().known(asked(one)))).isInstanceOf(Known.Refused.class);
        assertThat(boot().isReleasing()).isTrue();
        runUntil("released", () -> placement.heldBy(one).isEmpty());
        set("doubt_until = now() - interval '1 s'");
        runUntil("forgotten", this::isForgotten);
        assertThat(isRegistered(one)).isFalse();
    }

    @Test
    void whatIsPlacedStaysAsItIsWhilePlacementDoesNotSay() {
        start(PLANNED, "{\"host\": \"a\"}", one);
        put(one, ON_A);
        await(store.seenAsPlanned(boot()));
        placement.unreadable();
        assertThat(await(boots().retract(asked(one)))).isFalse();
        assertThat(boot().isOpen()).isFalse();
        assertThat(boot().answer()).isEqualTo(PLANNED);
        placement.readableAgain();
        assertThat(await(boots().retract(asked(one)))).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(isForgotten()).isTrue();
    }

    /** What is planned is there still, and is about to go. */
    @Test
    void whatIsBeingReleasedIsNotFoundPlaced() {
        start(PLANNED, null, one);
        put(one, ON_A);
        set("lease_until = now() - interval '1 s'");
        placement.holdingBack().next(InMemoryPlacement.Fate.LATE);
        Boot taken = await(store.take("test:" + one, 600, 60));
        await(undo().undo(taken));
        assertThat(boot().isReleasing()).isTrue();
        set("lease_until = now() - interval '1 s'");
        await(OpenWork.run(undo()));
        assertThat(boot().isOpen()).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
    }

    /** Killed between the release and what it would have written of it. */
    @Test
    void whoDiesWhileItReleasesLeavesThatToBeWaitedFor() {
        start(null, null, one);
        put(one, ON_A);
        set("lease_until = now() - interval '1 s'");
        placement.holdingBack().next(InMemoryPlacement.Fate.LATE);
        beforeAnswer = Uni.createFrom().nothing();
        OpenWork.run(undo()).subscribe().with(nothing -> {});
        eventually("sent", () -> placement.calls().contains("PUT "));
        beforeAnswer = Uni.createFrom().voidItem();
        set("lease_until = now() - interval '1 s'");
        assertThat(await(boots().known(asked(one)))).isInstanceOf(Known.Refused.class);
        assertThat(boot().isReleasing()).isTrue();
        set("doubt_until = now() - interval '1 s'");
        runUntil("forgotten", this::isForgotten);
    }

    /** It is refused while the instance holds another, and no more when that goes. */
    @Test
    void aClaimThatMayCommitLateIsWaitedForWhenWhatIsPlacedGoes() {
        placedInDoubt();
        assertThat(await(boots().retract(asked(one)))).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
        put(one, ON_B);
        runUntil("taken back", () -> placement.heldBy(one).isEmpty());
        nothingMayCommitAnyMore();
        runUntil("forgotten", this::isForgotten);
    }

    /** Of a size that nobody holds. */
    private Start startAnother(String kind) {
        Asked another = new Asked(kind + one, "other", List.of(one), false, true, "req-2");
        Start start = new Start(another, UUID.randomUUID(), "{\"VCPU\":2}", null, null, null);
        await(store.start(List.of(start), 600));
        return start;
    }

    private void placedInDoubt() {
        start(PLANNED, null, one);
        set("doubt_until = now() + interval '1 hour'");
        put(one, ON_A);
        await(store.seenAsPlanned(boot()));
    }

    @Test
    void nothingIsPlacedAnewWhileAClaimOfBeforeMayCommitLate() {
        placedInDoubt();
        await(placement.deleteAllocations(one, "req-1"));
        Asked other = new Asked("test:" + one, "other", List.of(one), false, true, "req-2");
        assertThat(await(boots().known(other))).isInstanceOf(Known.Refused.class);
        // As nova does when a migration comes to nothing.
        put(one, ON_A);
        await(OpenWork.run(undo()));
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        await(placement.deleteAllocations(one, "req-1"));
        nothingMayCommitAnyMore();
        assertThat(await(boots().known(other))).isInstanceOf(Known.Cleared.class);
        assertThat(isForgotten()).isTrue();
    }

    /** What is there of its size may be anybody's. */
    @Test
    void aRequestThatGaveNothingUpTakesNoClaimOfAnEarlierOneBack() {
        placedInDoubt();
        assertThat(await(store.leave(List.of(one), "another"))).isEmpty();
        Start another = startAnother("another:");
        assertThat(await(store.takenBack(another.asked().key(), another.token(), 0, 0))).isFalse();
        await(OpenWork.run(undo()));
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    @Test
    void ofClaimsThatCouldNotCommitAnyMoreWhenItBeganNothingIsTakenBack() {
        placedInDoubt();
        await(pool.query("UPDATE late_claims SET until = now() - interval '1 s'").execute());
        await(placement.deleteAllocations(one, "req-1"));
        assertThat(await(store.leave(List.of(one), "another"))).isEmpty();
        Start another = startAnother("reschedule:");
        put(one, ON_A);
        await(store.takenBack(another.asked().key(), another.token(), 1000, 0));
        await(OpenWork.run(undo()));
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    /** Its word is another's by then, as behind a move. */
    @Test
    void aRequestThatFailsWaitsForAClaimOfAnEarlierOne() {
        placedInDoubt();
        assertThat(await(store.leave(List.of(one), "another"))).isEmpty();
        Start another = startAnother("reschedule:");
        await(placement.deleteAllocations(one, "req-2"));
        await(store.takenBack(another.asked().key(), another.token(), 0, 0));
        put(one, ON_B);
        await(OpenWork.run(undo()));
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(await(store.find(another.asked()))).anyMatch(boot -> boot.key().equals(another.asked().key()) && boot.inDoubt());
    }

    /** As of a request that is told about another's instance. */
    @Test
    void whoHasNoWordForTheInstanceWaitsForNothingOfIt() {
        placedInDoubt();
        Asked another = new Asked("another:" + one, "other", List.of(one), false, true, "req-2");
        Start start = new Start(another, UUID.randomUUID(), "{\"VCPU\":1}", null, null, null);
        assertThat(await(store.start(List.of(start), 600)).get(start.token())).isZero();
        await(store.takenBack(another.key(), start.token(), 0, 0));
        assertThat(await(store.find(another))).noneMatch(boot -> boot.key().equals(another.key()));
    }

    /** Somebody else took it over, and what was placed has gone since. */
    @Test
    void whoAsksWhatHisRecordSaysKeepsNobodyFromIt() {
        placedInDoubt();
        assertThat(await(boots().answerOf(asked(one)))).isEqualTo(PLANNED);
        await(placement.deleteAllocations(one, "req-1"));
        assertThat(await(boots().answerOf(asked(one)))).isNull();
        assertThat(boot().isWorkedOn()).isFalse();
    }

    private void leftInDoubt() {
        start(PLANNED, null, one);
        set("token = NULL, doubt_until = now() + interval '1 hour'");
    }

    /** Another record stands in the way. */
    @Test
    void aRecordThatWasTakenOverInVainIsGivenBack() {
        leftInDoubt();
        await(pool.preparedQuery("INSERT INTO boots (key, shape, instances, resources, request_id)"
                + " VALUES ('another:' || $1::uuid, '', ARRAY[$1::uuid], '{}', 'req-2')").execute(Tuple.of(one)));
        await(pool.preparedQuery("INSERT INTO open_boots (key, token, lease_until)"
                + " VALUES ('another:' || $1::uuid, gen_random_uuid(), now() + interval '1 hour')").execute(Tuple.of(one)));
        await(pool.preparedQuery("UPDATE boot_instances SET key = 'another:' || instance WHERE instance = $1").execute(Tuple.of(one)));
        assertThat(await(boots().known(asked(one)))).isInstanceOf(Known.Refused.class);
        assertThat(boot().isWorkedOn()).isFalse();
        assertThat(boot().inDoubt()).isTrue();
    }

    /** As by nova, whose migration comes to nothing. */
    @Test
    void whatIsPutBackBehindTheSameRequestIsItsAnswer() {
        placedInDoubt();
        await(placement.deleteAllocations(one, "req-1"));
        assertThat(await(boots().known(asked(one)))).isInstanceOf(Known.Refused.class);
        assertThat(boot().isOpen()).isFalse();
        put(one, ON_A);
        await(OpenWork.run(undo()));
        assertThat(await(boots().known(asked(one)))).isEqualTo(new Known.Answered(PLANNED));
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    /** Its caller was told that there is no host. */
    @Test
    void aPlannedClaimThatCommitsBehindTheSameRequestIsTakenBack() {
        leftInDoubt();
        UUID token = ((Known.Cleared) await(boots().known(asked(one)))).token();
        await(boots().giveBack(asked(one), token));
        put(one, ON_A);
        runUntil("taken back", () -> placement.heldBy(one).isEmpty());
    }

    /** Of a replica that is gone; PostgreSQL went with it. */
    @Test
    void whatMayBeReleasedYetIsNobodysAnswer() {
        start(PLANNED, null, one);
        put(one, ON_A);
        set("token = NULL, releasing = true, doubt_until = now() + interval '1 hour'");
        assertThat(await(boots().known(asked(one)))).isInstanceOf(Known.Refused.class);
        await(OpenWork.run(undo()));
        set("doubt_until = now() - interval '1 s'");
        runUntil("placed", () -> !boot().isOpen());
        assertThat(boot().answer()).isEqualTo(PLANNED);
    }

    @Test
    void whatPlacementDoesNotTellIsNotReleased() {
        leftInDoubt();
        put(one, ON_A);
        placement.unreadable();
        beforeRead = Uni.createFrom().voidItem().invoke(
                () -> beforeRead = Uni.createFrom().voidItem().invoke(placement::readableAgain));
        assertThat(await(boots().known(asked(one)))).isInstanceOf(Known.Refused.class);
        placement.readableAgain();
        assertThat(boot().answer()).isEqualTo(PLANNED);
        assertThat(await(boots().known(asked(one)))).isEqualTo(new Known.Answered(PLANNED));
    }

    /** The claim commits between the two looks of the request that takes the record over. */
    @Test
    void whatIsAboutToBeReleasedIsNobodysAnswer() {
        leftInDoubt();
        Boot open = boot();
        List<Boolean> seen = new ArrayList<>();
        beforeRead = Uni.createFrom().voidItem().invoke(() -> beforeRead = Uni.createFrom().voidItem().invoke(() -> {
            put(one, ON_A);
            beforeAnswer = Uni.createFrom().voidItem().chain(() -> {
                beforeAnswer = Uni.createFrom().voidItem();
                return store.seenAsPlanned(open).invoke(seen::add);
            });
        }));
        assertThat(await(boots().known(asked(one)))).isInstanceOf(Known.Cleared.class);
        assertThat(seen).containsExactly(false);
        assertThat(placement.heldBy(one)).isEmpty();
    }

    @Test
    void aReleaseThatWasAnsweredIsNotWaitedFor() {
        start(null, null, one);
        put(one, ON_A);
        set("token = NULL, doubt_until = now() + interval '1 hour'");
        for (int i = 0; i < 2; i++) {
            assertThat(await(boots().known(asked(one)))).as("as often as decisions end before their claim")
                    .isInstanceOf(Known.Cleared.class);
            set("lease_until = now() - interval '1 s'");
        }
    }

    /** The reads of several instances, or a process that stood still, take longer than a lease. */
    @Test
    void whoLostTheRecordReleasesNothingMoreOfIt() {
        start(null, null, one, two);
        put(one, ON_A);
        put(two, ON_B);
        set("lease_until = now() - interval '1 s'");
        beforeRead = pool.preparedQuery("UPDATE open_boots SET lease_until = now() - interval '1 s' WHERE key = $1")
                .execute(Tuple.of("test:" + one))
                .chain(() -> store.take("test:" + one, 600, 60));
        await(OpenWork.run(undo()));
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        assertThat(placement.heldBy(two)).isEqualTo(ON_B);
    }

    @Test
    void anotherRequestsClaimIsLeftAlone() {
        Start first = start(null, null, one, two);
        await(store.takenBack(first.asked().key(), first.token(), 0, 0));
        Asked newer = new Asked("test:newer:" + two, "other", List.of(two), false, true, "req-2");
        Start second = new Start(newer, UUID.randomUUID(), "{\"VCPU\":1}", null, null, null);
        assertThat(await(store.start(List.of(second), 600)).get(second.token())).isEqualTo(1);
        put(two, ON_B);
        // The older is open again, as after a confirmation that never came; the newer has the word for the instance.
        await(pool
                .preparedQuery("INSERT INTO boots (key, shape, instances, resources, request_id)"
                        + " VALUES ($1, 'shape', $2, '{\"VCPU\": 1}', 'req-1')")
                .execute(Tuple.of(first.asked().key(), new UUID[] {one, two})));
        await(pool.preparedQuery("INSERT INTO open_boots (key, lease_until) VALUES ($1, now())")
                .execute(Tuple.of(first.asked().key())));
        put(one, LARGER);
        runUntil("forgotten", this::isForgotten);
        assertThat(placement.heldBy(two)).isEqualTo(ON_B);
        assertThat(placement.heldBy(one)).isEqualTo(LARGER);
    }

    @Test
    void waitsForAPlacementThatDoesNotAnswer() {
        start(PLANNED, "{\"host\": \"a\"}", one);
        put(one, ON_A);
        placement.unreadable();
        runUntil("postponed", () -> boot().token() == null && boot().attempts() > 0);
        assertThat(boot().answer()).as("an answer that was given stays what it was").isEqualTo(PLANNED);
        placement.readableAgain();
        runUntil("placed", () -> !boot().isOpen());
    }

    @Test
    void whatWasHeldBeforeStays() {
        put(one, ON_A);
        Start start = new Start(
                asked(one), UUID.randomUUID(), "{\"VCPU\":1}", null, null, "{\"%s\":{\"a\":{\"VCPU\":1}}}".formatted(one));
        await(store.start(List.of(start), 600));
        put(one, Map.of("a", Map.of("VCPU", 1L), "b", Map.of("VCPU", 1L)));
        runUntil("taken back", () -> placement.heldBy(one).equals(ON_A));
    }

    /** Another request found nothing held, as a move had begun between: what the record says comes true again. */
    @Test
    void whatIsOnTheMoveIsNotForgottenForAnotherRequest() {
        start(PLANNED, null, one);
        await(store.seenAsPlanned(boot()));
        assertThat(await(store.leave(List.of(one), "move"))).isEmpty();
        assertThat(await(store.reopen("test:" + one, 600, false, true))).isNull();
        assertThat(boot().isOpen()).isFalse();
        assertThat(boot().answer()).isEqualTo(PLANNED);
        assertThat(await(store.reopen("test:" + one, 600, true, true)).isOpen()).isTrue();
    }

    @Test
    void forgetsWhatFailedAtOnceAndWhatIsPlacedAfterADay() {
        Start failed = start(null, null, one);
        await(store.takenBack(failed.asked().key(), failed.token(), 0, 0));
        assertThat(isForgotten()).isTrue();
        start(PLANNED, null, one);
        put(one, ON_A);
        await(pool.preparedQuery("UPDATE boots SET begun_at = now() - interval '8 days' WHERE key = $1")
                .execute(Tuple.of("test:" + one)));
        await(undo().prune());
        assertThat(isForgotten()).as("one that is open stays").isFalse();
        runUntil("placed", () -> isForgotten() || !boot().isOpen());
        await(undo().prune());
        assertThat(isForgotten()).isTrue();
    }

    @Test
    void countsMovesThatNobodyWorksOn() {
        BootStore.Left before = await(store.count());
        await(pool.preparedQuery("INSERT INTO moves (migration_uuid, instance_uuid, kind, source_uuid, state, held_before,"
                + " request_id, number, lease_until, changed_at) VALUES (gen_random_uuid(), $1, 'cold', gen_random_uuid(),"
                + " 'started', '{}', 'req-1', 1, now() + interval '1 hour', now() - interval '20 minutes')")
                .execute(Tuple.of(one)));
        assertThat(await(store.count()).count()).isEqualTo(before.count());
        await(pool.preparedQuery("UPDATE moves SET number = NULL WHERE instance_uuid = $1").execute(Tuple.of(one)));
        assertThat(await(store.count()).count()).isEqualTo(before.count() + 1);
        assertThat(await(store.count()).oldestSeconds()).isGreaterThanOrEqualTo(1_200);
    }
}
