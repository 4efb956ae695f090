package io.berth.scheduler.requestrecord;

import io.berth.scheduler.claim.AllocationsText;
import io.berth.scheduler.claim.Attempts;
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
 * The claims of one request that has a record. One object per request; not thread-safe. A request whose {@link #begin}
 * returned true must end with exactly one of {@link #takeBack}, {@link #placed}, {@link #rescheduled}, or with {@link
 * #asPlanned} if that returns true.
 */
public final class RecordedClaims implements ClaimStrategy {
    private static final Logger LOG = Logger.getLogger(RecordedClaims.class);

    private final RequestRecords records;
    private final RequestRecordStore store;
    private final IdempotencyKey requestKey;
    private final ClaimWrite write;
    private final Map<UUID, AllocationsResult.Allocations> held;
    private final Map<UUID, SourceReservation> sourceReservations;
    private final RefusedReservations refusals = new RefusedReservations();
    private boolean begun;
    /** The first number of {@link #numbers}, by which the record names its owner; 0 until the record is written. */
    private long firstNumber;
    /** The block that gives this request its fence numbers. Null until the record is written. */
    private @Nullable FenceNumbers.Block numbers;
    /** The record as it was written first. Null until then. */
    private @Nullable RecordStart start;
    /** The server group in which the instances reserve their places; null without a group. */
    private @Nullable UUID group;
    /**
     * True while the record has a precomputed response. Another request that finds the record open may return this
     * response if the instances hold its allocations.
     */
    private boolean isPlanned;

    /**
     * @param write defines how a claim treats the held allocations
     * @param held uuid of an instance to the allocations that it holds, as read
     * @param sourceReservations uuid of an instance to the reservation on the host that it leaves, which counts if the
     *     instance is in a server group
     */
    RecordedClaims(
            RequestRecords records, IdempotencyKey requestKey, ClaimWrite write,
            Map<UUID, AllocationsResult.Allocations> held, Map<UUID, SourceReservation> sourceReservations) {
        this.records = records;
        this.store = records.store;
        this.requestKey = requestKey;
        this.write = write;
        this.held = held;
        this.sourceReservations = sourceReservations;
    }

    /** Returns whether the record was written, so that claims may have been sent. */
    public boolean hasBegun() {
        return begun;
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
        isPlanned = plan.answer() != null;
        RecordStart first = new RecordStart(requestKey, plan.answer(), plan.registration(), keptAsText());
        start = first;
        // If PostgreSQL's response was lost, the record may have been written: it must not keep this request as its
        // owner, so that the first replica that finds it rolls it back.
        return store.begin(first).onFailure().call(this::giveUpOwnership).chain(written -> {
            begun = written.owned() == requestKey.instances().size();
            if (begun) {
                firstNumber = written.number();
                numbers = new FenceNumbers.Block(firstNumber);
                records.leases.begin(firstNumber);
            }
            // If another open record owns some of the instances, this record is deleted; with NOT, none was written.
            return begun || written == RequestRecordStore.NewRecord.NOT
                    ? Uni.createFrom().item(begun)
                    : store.takenBack(requestKey.key(), written.number()).replaceWith(false);
        });
    }

    private Uni<Void> giveUpOwnership() {
        return OpenWork.afterLoss(store.postpone(requestKey.key(), null, requestKey.requestId(), 0))
                // If this statement fails, too, the lease expires and any replica finishes the record.
                .onFailure().recoverWithNull();
    }

    /** Returns for each instance the allocations that a rollback must leave to it; empty if a claim replaces them. */
    private Map<UUID, Map<String, Map<String, Long>>> heldBefore() {
        Map<UUID, Map<String, Map<String, Long>>> heldBefore = new HashMap<>();
        requestKey.instances().forEach(
                each -> heldBefore.put(each, write.keepsHeld() ? heldBy(each).allocations() : Map.of()));
        return heldBefore;
    }

    private @Nullable String keptAsText() {
        return held.isEmpty() || !write.keepsHeld() ? null : heldBefore().entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .map(each -> "\"" + each.getKey() + "\":" + AllocationsText.render(each.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Override
    public <H> Uni<ClaimOutcome<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<ClaimCandidate<H>> ranked, Attempts<H> attempts) {
        group = grouping == null ? null : grouping.group();
        return records.loop.claimFirst(
                consumer,
                heldBy(consumer.uuid()),
                write,
                grouping == null ? null : reservation(grouping, consumer.uuid()),
                ranked,
                attempts,
                fence());
    }

    @Override
    public <H> Uni<ClaimOutcome<List<H>>> claimTogether(List<Choice<H>> choices, Attempts<List<H>> attempts) {
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
                write, attempts, fence());
    }

    /** Returns a value that exists from the start of the record, before which nothing is claimed or rolled back. */
    private static <T> T begun(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the record is not begun");
        }
        return value;
    }

    private ClaimLoop.RequestFence fence() {
        FenceNumbers.Block block = begun(numbers);
        return new ClaimLoop.RequestFence(block::next, this::invalidateResponse, records.numbers::raise);
    }

    /**
     * Invalidates the precomputed response, if there is one. False if another request has returned it already, or
     * another owner has the record.
     */
    private Uni<Boolean> invalidateResponse() {
        return isPlanned
                ? store.invalidateResponse(requestKey.key(), firstNumber)
                        .invoke(invalidated -> isPlanned = !invalidated)
                : Uni.createFrom().item(true);
    }

    private <H> GroupReservation<H> reservation(Grouping<H> grouping, UUID instance) {
        return refusals.before(
                instance,
                records.reservations.reservation(
                        grouping, instance, requestKey.key(), sourceReservations.get(instance)),
                grouping.name());
    }

    private AllocationsResult.Allocations heldBy(UUID instance) {
        return held.getOrDefault(instance, AllocationsResult.Allocations.NOTHING);
    }

    @Override
    public Uni<Void> takeBack(boolean mayHold) {
        if (!begun) {
            return Uni.createFrom().voidItem();
        }
        // Invalidates the precomputed response first, so that no other request can return it during the rollback.
        return OpenWork.afterLoss(invalidateResponse())
                .chain(ours -> !ours
                        ? Uni.createFrom().voidItem()
                        : mayHold ? rollBack() : OpenWork.afterLoss(store.takenBack(requestKey.key(), firstNumber)))
                .onFailure().invoke(failure -> LOG.warnf(
                        "request left in flight until its lease ends key=%s request=%s cause=%s",
                        requestKey.key(), requestKey.requestId(), failure))
                .onFailure().recoverWithNull()
                .invoke(() -> records.leases.end(firstNumber));
    }

    /**
     * Rolls back the claims. The record is passed without a response, because no client can have received one: this
     * request has not responded, and a precomputed response was invalidated before. If another owner has taken the
     * record over, that owner rolls the claims back, too. If PostgreSQL lost the record in a failover, only this call
     * does.
     */
    private Uni<Void> rollBack() {
        var open = new RequestRecord.Open(firstNumber, true, 0);
        return records.undo
                .finish(begun(start).record(null, firstNumber, open, heldBefore()))
                .replaceWithVoid();
    }

    /**
     * Releases the allocations that the instance held before, if no claim has replaced them.
     *
     * @param host the host to name in the outcome
     */
    public <H> Uni<ClaimOutcome<H>> releaseHeld(Consumer consumer, H host) {
        return records.loop.claimFirst(
                consumer, heldBy(consumer.uuid()), write, null,
                List.of(new ClaimCandidate<>(host, AllocationRequest.NONE)), Attempts.unheard(), fence());
    }

    /**
     * Schedules the record to be closed after the response is sent. Placement has accepted the planned claim, so the
     * request cannot be rolled back any more.
     */
    @Override
    public boolean asPlanned() {
        if (isPlanned) {
            records.confirmations.add(begun(start), firstNumber);
        }
        return isPlanned;
    }

    @Override
    public Uni<Boolean> placed(String answer, List<String> registrations) {
        return placed(answer, registrations, false);
    }

    /**
     * Does the same as {@link #placed} for an instance that was rescheduled to another host.
     *
     * @param place members of the registration that change, as JSON text; the other members stay
     */
    public Uni<Boolean> rescheduled(String answer, String place) {
        return placed(answer, List.of(place), true);
    }

    /**
     * Closes the record. The same statement makes the instances members of their server group and deletes their
     * reservations, so that each instance counts for its server group at all times, by its reservation or as a member.
     */
    private Uni<Boolean> placed(String answer, List<String> registrations, boolean keepsRest) {
        return records.reservations.join(group, requestKey.instances(), store.placed(
                requestKey.key(), firstNumber, answer, requestKey.instances(), registrations, keepsRest))
                .call(recorded -> recorded ? Uni.createFrom().voidItem() : rollBack())
                .invoke(() -> records.leases.end(firstNumber));
    }
}
