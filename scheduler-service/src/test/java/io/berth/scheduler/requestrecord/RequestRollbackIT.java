package io.berth.scheduler.requestrecord;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.OwnTables;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.InMemoryPlacement.Fate;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.requestrecord.RequestRollback.Outcome;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Records that whoever began them left open, on a real PostgreSQL. No test waits for a time. */
@Tag("process")
class RequestRollbackIT {
    @RegisterExtension
    static final OwnTables TABLES = new OwnTables();

    private static final Map<String, Map<String, Long>> ON_A = Map.of("a", Map.of("VCPU", 1L));
    private static final Map<String, Map<String, Long>> ON_B = Map.of("b", Map.of("VCPU", 1L));
    private static final Map<String, Map<String, Long>> ON_BOTH =
            Map.of("a", Map.of("VCPU", 1L), "b", Map.of("VCPU", 1L));
    private static final String PLANNED = """
            {"selections": [[{"host": "a", "allocation_request": {"allocations": {"a": {"resources": {"VCPU": 1}}}}}]]}""";
    private static final String REGISTERED = "{\"host\": \"a\"}";

    private final Pool pool = TABLES.pool();
    private final RequestRecordStore store = new RequestRecordStore(pool);
    private final FenceNumbers numbers = new FenceNumbers(pool);
    private final InMemoryPlacement placement = new InMemoryPlacement().with("a", 5).with("b", 5).holdingBack();
    private final UUID one = UUID.randomUUID();
    private final UUID two = UUID.randomUUID();

    private static <T> T await(Uni<T> uni) {
        return uni.await().atMost(Duration.ofMinutes(5));
    }

    private IdempotencyKey asked(UUID... instances) {
        return new IdempotencyKey("test:" + one, "fingerprint", List.of(instances), false, "req-1");
    }

    private RequestRecord start(String answer, String registration, UUID... instances) {
        return start(new RecordStart(asked(instances), answer, registration, null));
    }

    private RequestRecord start(RecordStart start) {
        IdempotencyKey requestKey = start.key();
        assertThat(await(store.start(List.of(start), 600)).get(requestKey.key()).owned())
                .isEqualTo(requestKey.instances().size());
        return await(store.find(requestKey)).stream().filter(each -> each.key().equals(requestKey.key())).findFirst()
                .orElseThrow();
    }

    /** As the request itself claims. */
    private ClaimResult claim(RequestRecord boot, UUID consumer, Map<String, Map<String, Long>> allocations) {
        return put(consumer, allocations, boot.requestFirstNumber() + 1);
    }

    /** As a client that is not Berth's. */
    private void putPlainly(UUID consumer, Map<String, Map<String, Long>> allocations) {
        assertThat(put(consumer, allocations, null)).isInstanceOf(ClaimResult.Claimed.class);
    }

    private ClaimResult put(UUID consumer, Map<String, Map<String, Long>> allocations, Long number) {
        return await(placement.claim(
                List.of(new Claim(
                        consumer, new AllocationRequest(allocations, Map.of()),
                        placement.heldNow(consumer).consumerGeneration(), "project", "user")),
                number, "req-1"));
    }

    private RequestRecord boot() {
        return await(store.find(asked(one))).stream()
                .filter(each -> each.key().equals("test:" + one)).findFirst().orElseThrow();
    }

    private boolean isForgotten() {
        return await(store.find(asked(one))).stream().noneMatch(each -> each.key().equals("test:" + one));
    }

    private RequestRollback undo() {
        return new RequestRollback(store, placement, numbers);
    }

    private RequestRecords records() {
        return records(store, null);
    }

    private RequestRecords records(RequestRecordStore used, RequestLeases leases) {
        return new RequestRecords(used, undo(), null, leases, numbers, null, null, placement, null);
    }

    private void leaseIsOver() {
        await(pool.preparedQuery("UPDATE request_leases SET lease_until = now() - interval '1 s' WHERE key = $1")
                .execute(Tuple.of("test:" + one)));
    }

    /** Another replica looks for what was left. */
    private void takeOver() {
        leaseIsOver();
        await(OpenWork.run(undo()));
    }

    private boolean isRegistered(UUID instance) {
        return await(pool.preparedQuery("SELECT FROM instances WHERE uuid = $1").execute(Tuple.of(instance)))
                .size() > 0;
    }

    @Test
    void whatCameAboutAsPlannedIsPlaced() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        takeOver();
        assertThat(boot().state()).isEqualTo(new RequestRecord.Placed());
        assertThat(boot().answer()).isEqualTo(PLANNED);
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        assertThat(isRegistered(one)).isTrue();
    }

    /** The statement came about, and its response was lost: nobody owns the record, so the next request finishes it. */
    @Test
    void aRecordOfWhichNobodyHeardIsUndoneByTheNextRequest() throws InterruptedException {
        var plan = new ClaimStrategy.Plan(null, PLANNED, REGISTERED);
        var begun = TABLES.unheard(broken -> claims(new RequestRecordStore(broken)).begin(plan));
        assertThatThrownBy(begun::join).hasMessageContaining("Connection");
        assertThat(boot().isWorkedOn()).isFalse();
        assertThat(await(records().resolvePrior(asked(one)))).isEqualTo(new PriorRequest.Cleared());
        assertThat(isForgotten()).isTrue();
        assertThat(isRegistered(one)).isFalse();
    }

    private RecordedClaims claims(RequestRecordStore broken) {
        return new RecordedClaims(
                records(broken, new RequestLeases(broken)), asked(one), new ClaimWrite.Add(), Map.of(), Map.of());
    }

    @Test
    void aClaimElsewhereThanPlannedIsUndoneAndSoIsItsRegistration() {
        RequestRecord boot = start(PLANNED, REGISTERED, one);
        assertThat(await(store.invalidateResponse(boot.key(), boot.ownerFirstNumber()))).isTrue();
        claim(boot, one, ON_B);
        takeOver();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(isRegistered(one)).isFalse();
        assertThat(isForgotten()).isTrue();
    }

    /** As when nova-conductor claims an alternate, whose size is the same. */
    @Test
    void aClaimOfAnotherClientStaysWhateverItsSize() {
        for (String answer : new String[] {PLANNED, null}) {
            start(answer, null, one);
            putPlainly(one, ON_B);
            takeOver();
            assertThat(isForgotten()).as("at once").isTrue();
            assertThat(placement.heldBy(one)).isEqualTo(ON_B);
            placement.deletePlainly(one);
        }
    }

    /** In a socket, a proxy or a process that stood still. */
    @Test
    void aClaimThatArrivesBehindTheNextOwnerIsRefused() {
        RequestRecord boot = start(PLANNED, REGISTERED, one);
        placement.next(Fate.LATE);
        claim(boot, one, ON_A);
        takeOver();
        assertThat(isForgotten()).isTrue();
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(one)).isEmpty();
    }

    @Test
    void aClaimThatArrivesBehindAPlainDeletionIsRefused() {
        RequestRecord boot = start(PLANNED, null, one);
        placement.next(Fate.LATE);
        claim(boot, one, ON_A);
        put(one, ON_A, boot.requestFirstNumber() + 2);
        placement.deletePlainly(one);
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(one)).isEmpty();
    }

    @Test
    void halfOfSeveralIsUndoneAndTheOtherHalfIsRefused() {
        RequestRecord boot = start(null, null, one, two);
        claim(boot, one, ON_A);
        placement.next(Fate.LATE);
        claim(boot, two, ON_B);
        takeOver();
        assertThat(isForgotten()).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(two)).isEmpty();
    }

    /** By then the consumer has the same generation as when the undo was sent. */
    @Test
    void anUndoThatArrivesBehindANewClaimTakesNothingOfIt() {
        claim(start(null, null, one), one, ON_A);
        placement.next(Fate.LATE);
        takeOver();
        assertThat(boot().isOpen()).as("placement did not respond").isTrue();
        placement.deletePlainly(one);
        putPlainly(one, ON_B);
        placement.arriveLate();
        assertThat(placement.heldBy(one)).isEqualTo(ON_B);
        takeOver();
        assertThat(isForgotten()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_B);
    }

    /** Between settling and undoing; the record had another owner meanwhile. */
    @Test
    void anOwnerThatStoodStillUndoesNothing() {
        claim(start(null, null, one), one, ON_A);
        leaseIsOver();
        RequestRecord stopped = await(store.take("test:" + one, 600));
        takeOver();
        assertThat(isForgotten()).isTrue();
        RequestRecord next = start(PLANNED, null, one);
        claim(next, one, ON_A);
        assertThat(await(undo().finish(stopped))).isEqualTo(Outcome.RETRY_LATER);
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        assertThat(boot().isWorkedOn()).isTrue();
    }

    @Test
    void eitherThePlanIsLeftOrItIsTheResponse() {
        for (int round = 0; round < 20; round++) {
            IdempotencyKey requestKey = new IdempotencyKey("test:" + UUID.randomUUID(), "fingerprint",
                    List.of(UUID.randomUUID()), false, "req-1");
            RequestRecord boot = start(new RecordStart(requestKey, PLANNED, null, null));
            var left = store.invalidateResponse(requestKey.key(), boot.ownerFirstNumber()).subscribeAsCompletionStage();
            var seen = store.closeAsPlannedOfAnyOwner(boot).subscribeAsCompletionStage();
            assertThat(left.join()).isNotEqualTo(seen.join());
            RequestRecord after = await(store.find(requestKey)).getFirst();
            assertThat(after.isOpen()).isEqualTo(left.join());
            assertThat(after.answer()).isEqualTo(left.join() ? null : PLANNED);
        }
    }

    @Test
    void aFormerOwnerLeavesThePlanToTheNext() {
        RequestRecord boot = start(PLANNED, null, one);
        leaseIsOver();
        assertThat(await(store.take(boot.key(), 600)).answer()).isEqualTo(PLANNED);
        assertThat(await(store.invalidateResponse(boot.key(), boot.ownerFirstNumber()))).isFalse();
        assertThat(boot().answer()).isEqualTo(PLANNED);
    }

    /** Else what it claimed beside would not be found when nobody took its response. */
    @Test
    void aRequestThatComesAgainStillOwnsItsInstance() {
        start(PLANNED, null, one);
        assertThat(await(store.closeAsPlannedOfAnyOwner(boot()))).isTrue();
        assertThat(await(store.endOwnership(List.of(one), "test:" + one))).isEmpty();
        assertThat(boot().heldBefore()).containsOnlyKeys(one);
        assertThat(await(store.endOwnership(List.of(one), "another"))).isEmpty();
        assertThat(boot().heldBefore()).isEmpty();
    }

    /** A standby that did not have it yet has become primary. */
    private void loseTheRecord() {
        for (String table : List.of("request_leases", "request_records")) {
            await(pool.preparedQuery("DELETE FROM " + table + " WHERE key = $1").execute(Tuple.of("test:" + one)));
        }
        await(pool.preparedQuery("DELETE FROM request_instances WHERE key = $1").execute(Tuple.of("test:" + one)));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = $1").execute(Tuple.of(one)));
    }

    @Test
    void aRecordThatAFailoverLostIsWrittenAgainWhereTheClientHasTheResponse() {
        var start = new RecordStart(asked(one), PLANNED, REGISTERED, null);
        RequestRecord boot = start(start);
        claim(boot, one, ON_A);
        loseTheRecord();
        Vertx vertx = Vertx.vertx();
        new Completions(store, undo(), new RequestLeases(store), vertx).add(start, boot.ownerFirstNumber());
        eventually("written again", () -> !isForgotten() && !boot().isOpen());
        vertx.close().toCompletionStage().toCompletableFuture().join();
        assertThat(boot().answer()).isEqualTo(PLANNED);
        assertThat(isRegistered(one)).isTrue();
        assertThat(await(records().resolvePrior(asked(one)))).isEqualTo(new PriorRequest.Answered(PLANNED));
    }

    @Test
    void whatWasClaimedUnderARecordThatAFailoverLostIsUndone() {
        RecordedClaims claims = claims(store);
        assertThat(await(claims.begin(new ClaimStrategy.Plan(null, null, null)))).isTrue();
        claim(boot(), one, ON_A);
        loseTheRecord();
        await(claims.rollBackFailed(true));
        assertThat(placement.heldBy(one)).isEmpty();
    }

    /** Its caller has the response already; the owner closes the record behind it. */
    @Test
    void thePlannedClaimIsTheResponseBeforeItsRecordIsClosed() {
        claim(start(PLANNED, null, one), one, ON_A);
        assertThat(await(records().resolvePrior(asked(one)))).isEqualTo(new PriorRequest.Answered(PLANNED));
        assertThat(boot().isOpen()).isFalse();
    }

    /** What was placed is released before the record is closed: nobody has to wait for that. */
    @Test
    void aPlannedClaimThatIsReleasedAtOnceWasPlaced() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        placement.deletePlainly(one);
        await(records().settle(one, "req-2"));
        assertThat(boot().isOpen()).isFalse();
        assertThat(await(records().resolvePrior(asked(one)))).as("it may be made again")
                .isEqualTo(new PriorRequest.Cleared());
    }

    @Test
    void aRequestThatHasNotClaimedYetIsUnderWay() {
        RequestRecord boot = start(PLANNED, null, one);
        assertThatThrownBy(() -> await(records().settle(one, "req-2"))).hasMessageContaining("under way");
        assertThat(claim(boot, one, ON_A)).as("asking does not keep it from claiming")
                .isInstanceOf(ClaimResult.Claimed.class);
    }

    /** Its owner has left the plan, and is about to undo the claim. */
    @Test
    void whatIsNoLongerPlannedIsNobodysResponse() {
        RequestRecord boot = start(PLANNED, null, one);
        claim(boot, one, ON_A);
        await(store.invalidateResponse(boot.key(), boot.ownerFirstNumber()));
        assertThat(await(records().resolvePrior(asked(one)))).isInstanceOf(PriorRequest.Refused.class);
        assertThat(boot().isOpen()).isTrue();
    }

    /** Another request of the same instance: what the first has is not taken from it. */
    @Test
    void anotherRequestFindsWhatWasLeftPlaced() {
        claim(start(PLANNED, null, one), one, ON_A);
        leaseIsOver();
        await(records().settle(one, "req-2"));
        assertThat(boot().isOpen()).isFalse();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    @Test
    void aResponseThatNobodyTookIsUndone() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        await(store.closeAsPlannedOfAnyOwner(boot()));
        assertThat(await(records().retract(asked(one)))).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(isRegistered(one)).isFalse();
        assertThat(isForgotten()).isTrue();
    }

    /** As by nova, before its caller gave up. */
    @Test
    void ofAResponseThatNobodyTookNothingIsUndoneThatAnotherClientWrote() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        await(store.closeAsPlannedOfAnyOwner(boot()));
        putPlainly(one, ON_A);
        assertThat(await(records().retract(asked(one)))).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    @Test
    void whatPlacementDoesNotRespondToIsUndoneLater() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        await(store.closeAsPlannedOfAnyOwner(boot()));
        placement.unreadable();
        assertThat(await(records().retract(asked(one)))).isTrue();
        assertThat(await(records().resolvePrior(asked(one)))).isInstanceOf(PriorRequest.Refused.class);
        assertThat(boot().isOpen()).isTrue();
        placement.readableAgain();
        takeOver();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(isForgotten()).isTrue();
    }

    @Test
    void waitsForAPlacementThatDoesNotRespond() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        placement.unreadable();
        takeOver();
        assertThat(boot().state()).isEqualTo(new RequestRecord.Open(null, false, 1));
        assertThat(boot().answer()).as("a response that was given stays what it was").isEqualTo(PLANNED);
        placement.readableAgain();
        takeOver();
        assertThat(boot().isOpen()).isFalse();
    }

    /** Without the room for it: another client took it. */
    @Test
    void whatCannotBeRestoredIsTriedAgain() {
        putPlainly(one, ON_A);
        RequestRecord boot =
                start(new RecordStart(asked(one), null, null, "{\"%s\":{\"a\":{\"VCPU\":1}}}".formatted(one)));
        claim(boot, one, ON_B);
        placement.with("a", 0);
        takeOver();
        assertThat(boot().isOpen()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_B);
        placement.with("a", 1);
        takeOver();
        assertThat(isForgotten()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    @Test
    void whatWasHeldBeforeStays() {
        putPlainly(one, ON_A);
        RequestRecord boot =
                start(new RecordStart(asked(one), null, null, "{\"%s\":{\"a\":{\"VCPU\":1}}}".formatted(one)));
        claim(boot, one, ON_BOTH);
        takeOver();
        assertThat(isForgotten()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    /** PostgreSQL was restored from a backup, and its numbers are behind those that placement has seen. */
    @Test
    void numbersThatAreBehindAreRaised() {
        RequestRecord boot = start(null, null, one);
        claim(boot, one, ON_A);
        await(placement.settle(boot.ownerFirstNumber() + 1_000_000_000L, List.of(one), "req-2"));
        takeOver();
        assertThat(boot().isOpen()).isTrue();
        takeOver();
        assertThat(isForgotten()).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
    }

    /** Another record stands in the way: it is not taken over. */
    @Test
    void whatAnotherRequestWorksOnIsRefused() {
        start(PLANNED, null, one);
        IdempotencyKey another = new IdempotencyKey("another:" + one, "other", List.of(one), false, "req-2");
        assertThat(await(store.start(List.of(new RecordStart(another, null, null, null)), 600)).get(another.key())
                .owned()).isZero();
        assertThat(await(records().resolvePrior(another))).isInstanceOf(PriorRequest.Refused.class);
    }

    /** Another request found nothing held, as a move had begun between: what the record says comes true again. */
    @Test
    void whatIsOnTheMoveIsNotForgottenForAnotherRequest() {
        start(PLANNED, null, one);
        await(store.closeAsPlannedOfAnyOwner(boot()));
        assertThat(await(store.endOwnership(List.of(one), "move"))).isEmpty();
        assertThat(await(store.reopen("test:" + one, 600, false))).isNull();
        assertThat(boot().answer()).isEqualTo(PLANNED);
        assertThat(await(store.reopen("test:" + one, 600, true)).isOpen()).isTrue();
    }

    @Test
    void anOlderRecordUndoesNothingOfTheNextOwnerOfItsInstance() {
        RequestRecord first = start(null, null, one, two);
        await(store.deleteRolledBack(first.key(), first.ownerFirstNumber()));
        IdempotencyKey newer = new IdempotencyKey("test:newer:" + two, "other", List.of(two), false, "req-2");
        RequestRecord second = start(new RecordStart(newer, null, null, null));
        claim(second, two, ON_B);
        // The older is open again, as after a database was restored; the newer owns the instance.
        await(pool
                .preparedQuery(
                        "INSERT INTO request_records (key, fingerprint, instances, request_id) VALUES ($1,"
                                + " 'fingerprint', $2, 'req-1')")
                .execute(Tuple.of(first.key(), new UUID[] {one, two})));
        await(pool.preparedQuery("INSERT INTO request_leases (key, lease_until) VALUES ($1, now())")
                .execute(Tuple.of(first.key())));
        takeOver();
        assertThat(isForgotten()).isTrue();
        assertThat(placement.heldBy(two)).isEqualTo(ON_B);
        assertThat(claim(second, one, ON_A)).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void asksWhatTheResponseWasOnlyWhileItHolds() {
        claim(start(PLANNED, null, one), one, ON_A);
        assertThat(await(records().answerOf(asked(one)))).as("open").isNull();
        takeOver();
        assertThat(await(records().answerOf(asked(one)))).isEqualTo(PLANNED);
        placement.deletePlainly(one);
        assertThat(await(records().answerOf(asked(one)))).isNull();
    }

    @Test
    void forgetsWhatFailedAtOnceAndWhatIsPlacedAfterADay() {
        RequestRecord failed = start(null, null, one);
        await(store.deleteRolledBack(failed.key(), failed.ownerFirstNumber()));
        assertThat(isForgotten()).isTrue();
        claim(start(PLANNED, null, one), one, ON_A);
        await(pool.preparedQuery("UPDATE request_records SET begun_at = now() - interval '8 days' WHERE key = $1")
                .execute(Tuple.of("test:" + one)));
        await(undo().prune());
        assertThat(isForgotten()).as("one that is open stays").isFalse();
        takeOver();
        assertThat(boot().isOpen()).isFalse();
        await(undo().prune());
        assertThat(isForgotten()).isTrue();
    }

    @Test
    void countsRecordsThatNobodyOwns() {
        RequestRecordStore.Backlog before = await(store.count());
        await(pool.preparedQuery(
                "INSERT INTO moves (migration_uuid, instance_uuid, kind, source_uuid, state, held_before,"
                        + " request_id, number, lease_until, changed_at) VALUES (gen_random_uuid(), $1, 'cold',"
                        + " gen_random_uuid(), 'started', '{}', 'req-1', 1, now() + interval '1 hour', now() -"
                        + " interval '20 minutes')")
                .execute(Tuple.of(one)));
        assertThat(await(store.count()).count()).isEqualTo(before.count());
        await(pool.preparedQuery("UPDATE moves SET number = NULL WHERE instance_uuid = $1").execute(Tuple.of(one)));
        assertThat(await(store.count()).count()).isEqualTo(before.count() + 1);
        assertThat(await(store.count()).oldestSeconds()).isGreaterThanOrEqualTo(1_200);
    }
}
