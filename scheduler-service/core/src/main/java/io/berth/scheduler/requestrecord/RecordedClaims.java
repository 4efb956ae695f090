package io.berth.scheduler.requestrecord;

import io.berth.scheduler.claim.AllocationsText;
import io.berth.scheduler.claim.AttemptListener;
import io.berth.scheduler.claim.ClaimCandidate;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.GroupReservation;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.groupreservation.RefusedReservations;
import io.berth.scheduler.groupreservation.SourceReservation;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * The claims of one request that has a record. Each claim carries a fence number ({@link FenceNumbers}), so that
 * placement refuses a late claim after another replica has taken the record over and settled the instances. One object
 * per request; not thread-safe. A request whose {@link #begin} returned true must end with {@link #complete}, with
 * {@link #completeReschedule}, or with {@link #completeAsPlanned} if that returns true; after a failure, with
 * {@link #rollBackFailed}.
 */
public final class RecordedClaims implements ClaimStrategy {
    private static final Logger LOG = Logger.getLogger(RecordedClaims.class);

    private final RequestRecords records;
    private final RequestRecordStore store;
    private final IdempotencyKey requestKey;
    private final ClaimWrite claimWrite;
    private final Map<UUID, AllocationsResult.Allocations> held;
    private final Map<UUID, SourceReservation> sourceReservations;
    private final RefusedReservations refusals = new RefusedReservations();
    private boolean isBegun;
    /** First number of {@link #fenceNumbers}, by which the record names its owner; 0 until the record is written. */
    private long firstNumber;
    /** The block that gives this request its fence numbers. Null until the record is written. */
    private @Nullable FenceNumbers.Block fenceNumbers;
    /** The record as this request wrote it. Null until the record is written. */
    private @Nullable RecordStart start;
    /** The server group in which the instances reserve their places; null without a group, and before the claims. */
    private @Nullable UUID group;
    /**
     * True while the record has a precomputed response. Another request that finds the record open may return this
     * response if the instances hold its allocations.
     */
    private boolean hasPlannedResponse;

    /**
     * @param claimWrite defines how a claim treats the held allocations
     * @param held uuid of an instance to the allocations that it holds, as read from placement
     * @param sourceReservations uuid of an instance to the reservation on the host that it leaves, which is used if the
     *     instance is in a server group
     */
    RecordedClaims(
            RequestRecords records, IdempotencyKey requestKey, ClaimWrite claimWrite,
            Map<UUID, AllocationsResult.Allocations> held, Map<UUID, SourceReservation> sourceReservations) {
        this.records = records;
        this.store = records.store;
        this.requestKey = requestKey;
        this.claimWrite = claimWrite;
        this.held = held;
        this.sourceReservations = sourceReservations;
    }

    /** Returns whether the record was written, so that claims may have been sent. */
    public boolean hasBegun() {
        return isBegun;
    }

    @Override
    public boolean isRecorded() {
        return true;
    }

    @Override
    public void announce(AllocationRequest first) {
        records.loop.announce(first, requestKey.requestId());
    }

    @Override
    public Uni<Boolean> begin(Plan plan) {
        hasPlannedResponse = plan.answer() != null;
        RecordStart first = new RecordStart(requestKey, plan.answer(), plan.registration(), keptAsText());
        start = first;
        // If PostgreSQL's response was lost, the record may have been written. It must not keep this request as its
        // owner, so that the first replica that finds the record rolls the request back.
        return store.begin(first)
                .onFailure().call(this::giveUpOwnership)
                .chain(this::requireAllOwned)
                .map(newRecord -> {
                    isBegun = newRecord != RequestRecordStore.NewRecord.NONE;
                    if (isBegun) {
                        firstNumber = newRecord.number();
                        fenceNumbers = new FenceNumbers.Block(firstNumber);
                        records.leases.begin(firstNumber);
                    }
                    return isBegun;
                });
    }

    /** Returns a new record that owns all instances. Deletes any other new record, and returns NONE then. */
    private Uni<RequestRecordStore.NewRecord> requireAllOwned(RequestRecordStore.NewRecord newRecord) {
        return newRecord == RequestRecordStore.NewRecord.NONE || newRecord.owned() == requestKey.instances().size()
                ? Uni.createFrom().item(newRecord)
                : store.deleteRolledBack(requestKey.key(), newRecord.number())
                        .replaceWith(RequestRecordStore.NewRecord.NONE);
    }

    private Uni<Void> giveUpOwnership() {
        return OpenWork.retryAfterLoss(store.postpone(requestKey.key(), null, requestKey.requestId(), 0))
                // If this statement fails, too, any replica finishes the record when the lease has expired.
                .onFailure().recoverWithNull();
    }

    /** Returns for each instance the allocations that a rollback must leave to it; empty if a claim replaces them. */
    private Map<UUID, Map<String, Map<String, Long>>> heldBefore() {
        Map<UUID, Map<String, Map<String, Long>>> heldBefore = new HashMap<>();
        requestKey.instances().forEach(
                each -> heldBefore.put(each, claimWrite.keepsHeld() ? heldBy(each).allocations() : Map.of()));
        return heldBefore;
    }

    private @Nullable String keptAsText() {
        return held.isEmpty() || !claimWrite.keepsHeld() ? null : heldBefore().entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(each -> "\"" + each.getKey() + "\":" + AllocationsText.render(each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Override
    public <H> Uni<ClaimOutcome<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<ClaimCandidate<H>> ranked,
            AttemptListener<H> attempts) {
        group = grouping == null ? null : grouping.group();
        return records.loop.claimFirst(
                consumer,
                heldBy(consumer.uuid()),
                claimWrite,
                grouping == null ? null : reservation(grouping, consumer.uuid()),
                ranked,
                attempts,
                fence());
    }

    @Override
    public <H> Uni<ClaimOutcome<List<H>>> claimTogether(List<Choice<H>> choices, AttemptListener<List<H>> attempts) {
        Grouping<H> grouping = choices.getFirst().grouping();
        group = grouping == null ? null : grouping.group();
        return records.loop.claimTogether(
                choices.stream()
                        .map(each -> new ClaimLoop.ClaimTarget<>(
                                each.consumer(),
                                heldBy(each.consumer().uuid()),
                                each.grouping() == null ? null : reservation(each.grouping(), each.consumer().uuid()),
                                each.host(),
                                each.request()))
                        .toList(),
                claimWrite, attempts, fence());
    }

    /** Returns a value that is set when the record is written; nothing is claimed or rolled back before. */
    private static <T> T requireBegun(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the record is not begun");
        }
        return value;
    }

    private ClaimLoop.RequestFence fence() {
        FenceNumbers.Block block = requireBegun(fenceNumbers);
        return new ClaimLoop.RequestFence(block::next, this::invalidateResponse, records.numbers::raise);
    }

    /**
     * Invalidates the precomputed response; returns true if that succeeded or there is none. False if another request
     * has returned this response already, or the record has another owner or is gone.
     */
    private Uni<Boolean> invalidateResponse() {
        return hasPlannedResponse
                ? store.invalidateResponse(requestKey.key(), firstNumber)
                        .invoke(invalidated -> hasPlannedResponse = !invalidated)
                : Uni.createFrom().item(true);
    }

    private <H> GroupReservation<H> reservation(Grouping<H> grouping, UUID instance) {
        return refusals.rememberingRefusals(
                instance,
                records.reservations.reservation(
                        grouping, instance, requestKey.key(), sourceReservations.get(instance)),
                grouping.name());
    }

    private AllocationsResult.Allocations heldBy(UUID instance) {
        return held.getOrDefault(instance, AllocationsResult.Allocations.NOTHING);
    }

    @Override
    public Uni<Void> rollBackFailed(boolean mayHold) {
        if (!isBegun) {
            return Uni.createFrom().voidItem();
        }
        // Invalidates the precomputed response first, so that no other request can return it during the rollback.
        return OpenWork.retryAfterLoss(invalidateResponse())
                .chain(isOwner -> !isOwner
                        ? finishIfLost()
                        : mayHold ? rollBack()
                                : OpenWork.retryAfterLoss(store.deleteRolledBack(requestKey.key(), firstNumber)))
                .onFailure().invoke(failure -> LOG.warnf(
                        "request left in flight until its lease ends key=%s request=%s cause=%s",
                        requestKey.key(), requestKey.requestId(), failure))
                .onFailure().recoverWithNull()
                .invoke(() -> records.leases.end(firstNumber));
    }

    /**
     * Rolls back the claims. The record is passed without a response, because no client can have received one: this
     * request has not responded, and a precomputed response was invalidated before. If another owner has taken the
     * record over, the new owner rolls the claims back, too. If PostgreSQL lost the record in a failover, only this
     * request rolls them back.
     */
    private Uni<Void> rollBack() {
        var open = new RequestRecord.Open(firstNumber, true, 0);
        return records.rollback
                .finish(requireBegun(start).record(null, firstNumber, open, heldBefore()))
                .chain(outcome -> outcome == RequestRollback.Outcome.RETRY_LATER
                        ? finishIfLost()
                        : Uni.createFrom().voidItem());
    }

    /**
     * Writes the record again and tries once more to finish it, if PostgreSQL lost it in a failover. If placement does
     * not respond, any replica finishes the record later. A request whose precomputed response is valid is placed if
     * its planned claim holds; any other request is rolled back. Does nothing if there is a record: its owner finishes
     * it, or it is placed.
     */
    private Uni<Void> finishIfLost() {
        RecordStart first = requireBegun(start).lost(firstNumber);
        RecordStart lost = hasPlannedResponse ? first : first.withoutResponse();
        // The sequence may have lost its last values, too. Only a higher number keeps the claims from committing later.
        return records.numbers.raise(firstNumber)
                .chain(() -> store.begin(lost))
                .chain(this::requireAllOwned)
                .chain(again -> again == RequestRecordStore.NewRecord.NONE
                        ? Uni.createFrom().voidItem()
                        : records.rollback.finish(lost.record(
                                lost.answer(), firstNumber, new RequestRecord.Open(again.number(), true, 0),
                                heldBefore()))
                                .replaceWithVoid());
    }

    /**
     * Releases the allocations that the instance held before the request, if no claim has replaced them.
     *
     * @param host the host to name in the outcome
     */
    public <H> Uni<ClaimOutcome<H>> releaseHeld(Consumer consumer, H host) {
        return records.loop.claimFirst(
                consumer, heldBy(consumer.uuid()), claimWrite, null,
                List.of(new ClaimCandidate<>(host, AllocationRequest.NONE)), AttemptListener.ignoring(), fence());
    }

    /**
     * If the record has a precomputed response, schedules the record to be closed after the response is sent, and
     * returns true; otherwise returns false. Must be called only after placement has accepted the first claim: then the
     * precomputed response is valid, and the request cannot be rolled back any more.
     */
    @Override
    public boolean completeAsPlanned() {
        if (hasPlannedResponse) {
            records.completions.add(requireBegun(start), firstNumber);
        }
        return hasPlannedResponse;
    }

    @Override
    public Uni<Boolean> complete(String answer, List<String> registrations) {
        return complete(answer, registrations, false);
    }

    /**
     * Completes the request like {@link #complete}, for an instance that was rescheduled to another host.
     *
     * @param place the members of the instance's registration that change, as JSON text; its other members stay
     */
    public Uni<Boolean> completeReschedule(String answer, String place) {
        return complete(answer, List.of(place), true);
    }

    /**
     * Closes the record. The same statement makes the instances members of their server group and deletes their
     * reservations, so that each instance counts for its server group at all times, by its reservation or as a member.
     * If another owner has taken the record over, or the record is gone, rolls the claims back and returns false.
     *
     * @param keepsRest whether a registration that exists keeps the members that {@code registrations} lacks
     */
    private Uni<Boolean> complete(String answer, List<String> registrations, boolean keepsRest) {
        return records.reservations.join(group, requestKey.instances(), store.closeAsPlaced(
                requestKey.key(), firstNumber, answer, requestKey.instances(), registrations, keepsRest))
                .call(recorded -> recorded ? Uni.createFrom().voidItem() : rollBack())
                .invoke(() -> records.leases.end(firstNumber));
    }
}
