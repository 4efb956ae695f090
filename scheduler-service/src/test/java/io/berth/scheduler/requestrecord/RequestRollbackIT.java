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

/** Tests how records that their owner left open are finished, against PostgreSQL and an in-memory placement. */
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

    private IdempotencyKey keyFor(UUID... instances) {
        return new IdempotencyKey("test:" + one, "fingerprint", List.of(instances), false, "req-1");
    }

    private RequestRecord start(String answer, String registration, UUID... instances) {
        return start(new RecordStart(keyFor(instances), answer, registration, null));
    }

    private RequestRecord start(RecordStart start) {
        IdempotencyKey requestKey = start.key();
        assertThat(await(store.start(List.of(start), 600)).get(requestKey.key()).owned())
                .isEqualTo(requestKey.instances().size());
        return await(store.find(requestKey)).stream().filter(each -> each.key().equals(requestKey.key())).findFirst()
                .orElseThrow();
    }

    /** Claims as the request itself does. */
    private ClaimResult claim(RequestRecord row, UUID consumer, Map<String, Map<String, Long>> allocations) {
        return put(consumer, allocations, row.requestFirstNumber() + 1);
    }

    /** Claims as a client other than Berth does. */
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

    private RequestRecord row() {
        return await(store.find(keyFor(one))).stream()
                .filter(each -> each.key().equals("test:" + one)).findFirst().orElseThrow();
    }

    private boolean isDeleted() {
        return await(store.find(keyFor(one))).stream().noneMatch(each -> each.key().equals("test:" + one));
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

    private void expireLease() {
        await(pool.preparedQuery("UPDATE request_leases SET lease_until = now() - interval '1 s' WHERE key = $1")
                .execute(Tuple.of("test:" + one)));
    }

    /** Lets the lease expire, and runs another replica's search for open records. */
    private void takeOver() {
        expireLease();
        await(OpenWork.run(undo()));
    }

    private boolean isRegistered(UUID instance) {
        return await(pool.preparedQuery("SELECT FROM instances WHERE uuid = $1").execute(Tuple.of(instance)))
                .size() > 0;
    }

    @Test
    void closesARecordAsPlacedIfTheClaimIsAsPlanned() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        takeOver();
        assertThat(row().state()).isEqualTo(new RequestRecord.Placed());
        assertThat(row().answer()).isEqualTo(PLANNED);
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        assertThat(isRegistered(one)).isTrue();
    }

    /** The record was written and the response lost: no replica owns the record, so the next request finishes it. */
    @Test
    void theNextRequestUndoesARecordWhoseStartGotNoResponse() throws InterruptedException {
        var plan = new ClaimStrategy.Plan(null, PLANNED, REGISTERED);
        var begun = TABLES.unheard(broken -> claims(new RequestRecordStore(broken)).begin(plan));
        assertThatThrownBy(begun::join).hasMessageContaining("Connection");
        assertThat(row().isWorkedOn()).isFalse();
        assertThat(await(records().resolvePrior(keyFor(one)))).isEqualTo(new PriorRequest.Cleared());
        assertThat(isDeleted()).isTrue();
        assertThat(isRegistered(one)).isFalse();
    }

    private RecordedClaims claims(RequestRecordStore broken) {
        return new RecordedClaims(
                records(broken, new RequestLeases(broken)), keyFor(one), new ClaimWrite.Add(), Map.of(), Map.of());
    }

    @Test
    void undoesAClaimOnAnotherHostThanPlannedAndItsRegistration() {
        RequestRecord row = start(PLANNED, REGISTERED, one);
        assertThat(await(store.invalidateResponse(row.key(), row.ownerFirstNumber()))).isTrue();
        claim(row, one, ON_B);
        takeOver();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(isRegistered(one)).isFalse();
        assertThat(isDeleted()).isTrue();
    }

    /** Reproduces nova-conductor, which claims an alternate of the same size. */
    @Test
    void keepsAClaimOfAnotherClient() {
        for (String answer : new String[] {PLANNED, null}) {
            start(answer, null, one);
            putPlainly(one, ON_B);
            takeOver();
            assertThat(isDeleted()).as("at once").isTrue();
            assertThat(placement.heldBy(one)).isEqualTo(ON_B);
            placement.deletePlainly(one);
        }
    }

    /** The claim was delayed in a socket, a proxy or a stalled process. */
    @Test
    void refusesAClaimThatArrivesAfterATakeover() {
        RequestRecord row = start(PLANNED, REGISTERED, one);
        placement.next(Fate.LATE);
        claim(row, one, ON_A);
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(one)).isEmpty();
    }

    @Test
    void refusesAClaimThatArrivesAfterAPlainDeletion() {
        RequestRecord row = start(PLANNED, null, one);
        placement.next(Fate.LATE);
        claim(row, one, ON_A);
        put(one, ON_A, row.requestFirstNumber() + 2);
        placement.deletePlainly(one);
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(one)).isEmpty();
    }

    @Test
    void undoesAPartialClaimOfSeveralInstancesAndRefusesTheRest() {
        RequestRecord row = start(null, null, one, two);
        claim(row, one, ON_A);
        placement.next(Fate.LATE);
        claim(row, two, ON_B);
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(two)).isEmpty();
    }

    /** The consumer then has the same generation as when the undo was sent. */
    @Test
    void aLateUndoDoesNotReleaseANewClaim() {
        claim(start(null, null, one), one, ON_A);
        placement.next(Fate.LATE);
        takeOver();
        assertThat(row().isOpen()).as("placement did not respond").isTrue();
        placement.deletePlainly(one);
        putPlainly(one, ON_B);
        placement.arriveLate();
        assertThat(placement.heldBy(one)).isEqualTo(ON_B);
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_B);
    }

    /** The owner stalls between settlement and undo, and another owner finishes the record in the meantime. */
    @Test
    void aStalledOwnerUndoesNothing() {
        claim(start(null, null, one), one, ON_A);
        expireLease();
        RequestRecord stopped = await(store.take("test:" + one, 600));
        takeOver();
        assertThat(isDeleted()).isTrue();
        RequestRecord next = start(PLANNED, null, one);
        claim(next, one, ON_A);
        assertThat(await(undo().finish(stopped))).isEqualTo(Outcome.RETRY_LATER);
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
        assertThat(row().isWorkedOn()).isTrue();
    }

    @Test
    void eitherInvalidatesThePlannedResponseOrClosesWithIt() {
        for (int round = 0; round < 20; round++) {
            IdempotencyKey requestKey = new IdempotencyKey("test:" + UUID.randomUUID(), "fingerprint",
                    List.of(UUID.randomUUID()), false, "req-1");
            RequestRecord row = start(new RecordStart(requestKey, PLANNED, null, null));
            var left = store.invalidateResponse(requestKey.key(), row.ownerFirstNumber()).subscribeAsCompletionStage();
            var seen = store.closeAsPlannedOfAnyOwner(row).subscribeAsCompletionStage();
            assertThat(left.join()).isNotEqualTo(seen.join());
            RequestRecord after = await(store.find(requestKey)).getFirst();
            assertThat(after.isOpen()).isEqualTo(left.join());
            assertThat(after.answer()).isEqualTo(left.join() ? null : PLANNED);
        }
    }

    @Test
    void aFormerOwnerCannotInvalidateThePlannedResponse() {
        RequestRecord row = start(PLANNED, null, one);
        expireLease();
        assertThat(await(store.take(row.key(), 600)).answer()).isEqualTo(PLANNED);
        assertThat(await(store.invalidateResponse(row.key(), row.ownerFirstNumber()))).isFalse();
        assertThat(row().answer()).isEqualTo(PLANNED);
    }

    /** Otherwise its other claims would not be found if its response is not received. */
    @Test
    void aRepeatedRequestStillOwnsItsInstance() {
        start(PLANNED, null, one);
        assertThat(await(store.closeAsPlannedOfAnyOwner(row()))).isTrue();
        assertThat(await(store.endOwnership(List.of(one), "test:" + one))).isEmpty();
        assertThat(row().heldBefore()).containsOnlyKeys(one);
        assertThat(await(store.endOwnership(List.of(one), "another"))).isEmpty();
        assertThat(row().heldBefore()).isEmpty();
    }

    /** Deletes the record, as if a standby that did not have it yet had become primary. */
    private void loseTheRecord() {
        for (String table : List.of("request_leases", "request_records")) {
            await(pool.preparedQuery("DELETE FROM " + table + " WHERE key = $1").execute(Tuple.of("test:" + one)));
        }
        await(pool.preparedQuery("DELETE FROM request_instances WHERE key = $1").execute(Tuple.of("test:" + one)));
        await(pool.preparedQuery("DELETE FROM instances WHERE uuid = $1").execute(Tuple.of(one)));
    }

    @Test
    void rewritesARecordLostInAFailoverIfTheClientHasTheResponse() {
        var start = new RecordStart(keyFor(one), PLANNED, REGISTERED, null);
        RequestRecord row = start(start);
        claim(row, one, ON_A);
        loseTheRecord();
        Vertx vertx = Vertx.vertx();
        new Completions(store, undo(), new RequestLeases(store), vertx).add(start, row.ownerFirstNumber());
        eventually("the record is written again", () -> !isDeleted() && !row().isOpen());
        vertx.close().toCompletionStage().toCompletableFuture().join();
        assertThat(row().answer()).isEqualTo(PLANNED);
        assertThat(isRegistered(one)).isTrue();
        assertThat(row().requestFirstNumber()).isEqualTo(row.requestFirstNumber());
        assertThat(await(records().resolvePrior(keyFor(one)))).isEqualTo(new PriorRequest.Answered(PLANNED));
    }

    @Test
    void undoesClaimsWhoseRecordWasLostInAFailover() {
        RecordedClaims claims = claims(store);
        assertThat(await(claims.begin(new ClaimStrategy.Plan(null, null, null)))).isTrue();
        claim(row(), one, ON_A);
        loseTheRecord();
        await(claims.rollBackFailed(true));
        assertThat(placement.heldBy(one)).isEmpty();
    }

    @Test
    void aClaimWithoutARecordIsRolledBackLaterIfPlacementDoesNotRespond() {
        RecordedClaims claims = claims(store);
        assertThat(await(claims.begin(new ClaimStrategy.Plan(null, null, null)))).isTrue();
        claim(row(), one, ON_A);
        loseTheRecord();
        placement.unreadable();
        await(claims.rollBackFailed(true));
        assertThat(row().state()).isEqualTo(new RequestRecord.Open(null, false, 1));
        placement.readableAgain();
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
    }

    /** A single instance with a precomputed response, whose record is lost after the claim was sent. */
    private RecordedClaims losesItsPlannedRecord(Fate fate) {
        RecordedClaims claims = claims(store);
        assertThat(await(claims.begin(new ClaimStrategy.Plan(null, PLANNED, REGISTERED)))).isTrue();
        placement.next(fate);
        claim(row(), one, ON_A);
        loseTheRecord();
        return claims;
    }

    @Test
    void aPlannedClaimThatHoldsWithoutARecordIsPlaced() {
        await(losesItsPlannedRecord(Fate.ANSWERED).rollBackFailed(false));
        assertThat(row().state()).isEqualTo(new RequestRecord.Placed());
        assertThat(isRegistered(one)).isTrue();
        assertThat(await(records().answerOf(keyFor(one)))).isEqualTo(PLANNED);
    }

    @Test
    void aPlannedClaimThatArrivesWithoutARecordIsRefused() {
        await(losesItsPlannedRecord(Fate.LATE).rollBackFailed(false));
        assertThat(isDeleted()).isTrue();
        assertThat(isRegistered(one)).isFalse();
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
        assertThat(placement.heldBy(one)).isEmpty();
    }

    /** The sequence of the new primary is behind, too. */
    @Test
    void aPlannedClaimThatArrivesWithoutARecordIsRefusedByANumberThatWasLost() {
        RecordedClaims claims = losesItsPlannedRecord(Fate.LATE);
        await(pool.query("SELECT setval('fences', greatest(last_value - 10, 1)) FROM fences").execute());
        await(claims.rollBackFailed(false));
        assertThat(isDeleted()).isTrue();
        assertThat(placement.arriveLate()).isInstanceOf(ClaimResult.Fenced.class);
    }

    @Test
    void aPlannedClaimWithoutARecordIsFinishedLaterIfPlacementDoesNotRespond() {
        RecordedClaims claims = losesItsPlannedRecord(Fate.ANSWERED);
        placement.unreadable();
        await(claims.rollBackFailed(false));
        assertThat(row().state()).isEqualTo(new RequestRecord.Open(null, false, 1));
        placement.readableAgain();
        takeOver();
        assertThat(row().state()).isEqualTo(new RequestRecord.Placed());
    }

    @Test
    void aPlannedClaimWhoseRecordHasAnotherOwnerIsLeftToIt() {
        RecordedClaims claims = claims(store);
        await(claims.begin(new ClaimStrategy.Plan(null, PLANNED, REGISTERED)));
        claim(row(), one, ON_A);
        expireLease();
        RequestRecord taken = await(store.take("test:" + one, 600));
        await(claims.rollBackFailed(true));
        assertThat(row().state()).isEqualTo(taken.state());
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    /** The caller already has the response; the owner closes the record afterwards. */
    @Test
    void returnsThePlannedResponseBeforeTheRecordIsClosed() {
        claim(start(PLANNED, null, one), one, ON_A);
        assertThat(await(records().resolvePrior(keyFor(one)))).isEqualTo(new PriorRequest.Answered(PLANNED));
        assertThat(row().isOpen()).isFalse();
    }

    /** The allocations are released before the record is closed, and no caller waits for that. */
    @Test
    void closesARecordWhosePlannedClaimWasReleasedAtOnce() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        placement.deletePlainly(one);
        await(records().settle(one, "req-2"));
        assertThat(row().isOpen()).isFalse();
        assertThat(await(records().resolvePrior(keyFor(one)))).as("it may be placed again")
                .isEqualTo(new PriorRequest.Cleared());
    }

    @Test
    void refusesToSettleARequestThatHasNotClaimedYet() {
        RequestRecord row = start(PLANNED, null, one);
        assertThatThrownBy(() -> await(records().settle(one, "req-2"))).hasMessageContaining("under way");
        assertThat(claim(row, one, ON_A)).as("the query does not fence it off")
                .isInstanceOf(ClaimResult.Claimed.class);
    }

    /** The owner has invalidated the planned response, and is about to undo the claim. */
    @Test
    void doesNotReturnAnInvalidatedResponse() {
        RequestRecord row = start(PLANNED, null, one);
        claim(row, one, ON_A);
        await(store.invalidateResponse(row.key(), row.ownerFirstNumber()));
        assertThat(await(records().resolvePrior(keyFor(one)))).isInstanceOf(PriorRequest.Refused.class);
        assertThat(row().isOpen()).isTrue();
    }

    /** A further request for the same instance does not release what the first one holds. */
    @Test
    void anotherRequestClosesAnAbandonedRecordAsPlaced() {
        claim(start(PLANNED, null, one), one, ON_A);
        expireLease();
        await(records().settle(one, "req-2"));
        assertThat(row().isOpen()).isFalse();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    @Test
    void undoesAResponseThatWasNotReceived() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        await(store.closeAsPlannedOfAnyOwner(row()));
        assertThat(await(records().retract(keyFor(one)))).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(isRegistered(one)).isFalse();
        assertThat(isDeleted()).isTrue();
    }

    /** The other client is nova, for example, before its caller gave up. */
    @Test
    void undoingAResponseKeepsWhatAnotherClientWrote() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        await(store.closeAsPlannedOfAnyOwner(row()));
        putPlainly(one, ON_A);
        assertThat(await(records().retract(keyFor(one)))).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    @Test
    void undoesAResponseLaterIfPlacementDoesNotRespond() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        await(store.closeAsPlannedOfAnyOwner(row()));
        placement.unreadable();
        assertThat(await(records().retract(keyFor(one)))).isTrue();
        assertThat(await(records().resolvePrior(keyFor(one)))).isInstanceOf(PriorRequest.Refused.class);
        assertThat(row().isOpen()).isTrue();
        placement.readableAgain();
        takeOver();
        assertThat(placement.heldBy(one)).isEmpty();
        assertThat(isDeleted()).isTrue();
    }

    @Test
    void waitsForAPlacementThatDoesNotRespond() {
        claim(start(PLANNED, REGISTERED, one), one, ON_A);
        placement.unreadable();
        takeOver();
        assertThat(row().state()).isEqualTo(new RequestRecord.Open(null, false, 1));
        assertThat(row().answer()).as("the response is kept").isEqualTo(PLANNED);
        placement.readableAgain();
        takeOver();
        assertThat(row().isOpen()).isFalse();
    }

    /** Another client has taken the capacity that the restored allocations need. */
    @Test
    void retriesARestoreThatDoesNotFit() {
        putPlainly(one, ON_A);
        RequestRecord row =
                start(new RecordStart(keyFor(one), null, null, "{\"%s\":{\"a\":{\"VCPU\":1}}}".formatted(one)));
        claim(row, one, ON_B);
        placement.with("a", 0);
        takeOver();
        assertThat(row().isOpen()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_B);
        placement.with("a", 1);
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    @Test
    void keepsAllocationsThatWereHeldBefore() {
        putPlainly(one, ON_A);
        RequestRecord row =
                start(new RecordStart(keyFor(one), null, null, "{\"%s\":{\"a\":{\"VCPU\":1}}}".formatted(one)));
        claim(row, one, ON_BOTH);
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.heldBy(one)).isEqualTo(ON_A);
    }

    /** PostgreSQL was restored from a backup, so its numbers are below those that placement has seen. */
    @Test
    void raisesFenceNumbersThatAreBehind() {
        RequestRecord row = start(null, null, one);
        claim(row, one, ON_A);
        await(placement.settle(row.ownerFirstNumber() + 1_000_000_000L, List.of(one), "req-2"));
        takeOver();
        assertThat(row().isOpen()).isTrue();
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.heldBy(one)).isEmpty();
    }

    /** The instance belongs to another open record, which is not taken over. */
    @Test
    void refusesAnInstanceOfAnotherOpenRequest() {
        start(PLANNED, null, one);
        IdempotencyKey another = new IdempotencyKey("another:" + one, "other", List.of(one), false, "req-2");
        assertThat(await(store.start(List.of(new RecordStart(another, null, null, null)), 600)).get(another.key())
                .owned()).isZero();
        assertThat(await(records().resolvePrior(another))).isInstanceOf(PriorRequest.Refused.class);
    }

    /** Another request found no allocations, because a move had begun; later the record is correct again. */
    @Test
    void keepsTheRecordOfAnInstanceWithAnOpenMove() {
        start(PLANNED, null, one);
        await(store.closeAsPlannedOfAnyOwner(row()));
        assertThat(await(store.endOwnership(List.of(one), "move"))).isEmpty();
        assertThat(await(store.reopen("test:" + one, 600, false))).isNull();
        assertThat(row().answer()).isEqualTo(PLANNED);
        assertThat(await(store.reopen("test:" + one, 600, true)).isOpen()).isTrue();
    }

    @Test
    void anOlderRecordDoesNotUndoClaimsOfANewerOne() {
        RequestRecord first = start(null, null, one, two);
        await(store.deleteRolledBack(first.key(), first.ownerFirstNumber()));
        IdempotencyKey newer = new IdempotencyKey("test:newer:" + two, "other", List.of(two), false, "req-2");
        RequestRecord second = start(new RecordStart(newer, null, null, null));
        claim(second, two, ON_B);
        // The older record is open again, as after a restore of the database; the newer one owns the instance.
        await(pool
                .preparedQuery(
                        "INSERT INTO request_records (key, fingerprint, instances, request_id) VALUES ($1,"
                                + " 'fingerprint', $2, 'req-1')")
                .execute(Tuple.of(first.key(), new UUID[] {one, two})));
        await(pool.preparedQuery("INSERT INTO request_leases (key, lease_until) VALUES ($1, now())")
                .execute(Tuple.of(first.key())));
        takeOver();
        assertThat(isDeleted()).isTrue();
        assertThat(placement.heldBy(two)).isEqualTo(ON_B);
        assertThat(claim(second, one, ON_A)).isInstanceOf(ClaimResult.Claimed.class);
    }

    @Test
    void returnsTheEarlierResponseOnlyWhileItIsClaimed() {
        claim(start(PLANNED, null, one), one, ON_A);
        assertThat(await(records().answerOf(keyFor(one)))).as("open").isNull();
        takeOver();
        assertThat(await(records().answerOf(keyFor(one)))).isEqualTo(PLANNED);
        placement.deletePlainly(one);
        assertThat(await(records().answerOf(keyFor(one)))).isNull();
    }

    @Test
    void deletesFailedRecordsAtOnceAndPlacedOnesAfterDays() {
        RequestRecord failed = start(null, null, one);
        await(store.deleteRolledBack(failed.key(), failed.ownerFirstNumber()));
        assertThat(isDeleted()).isTrue();
        claim(start(PLANNED, null, one), one, ON_A);
        await(pool.preparedQuery("UPDATE request_records SET begun_at = now() - interval '8 days' WHERE key = $1")
                .execute(Tuple.of("test:" + one)));
        await(undo().prune());
        assertThat(isDeleted()).as("an open record is kept").isFalse();
        takeOver();
        assertThat(row().isOpen()).isFalse();
        await(undo().prune());
        assertThat(isDeleted()).isTrue();
    }

    @Test
    void countsRecordsWithoutAnOwner() {
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
