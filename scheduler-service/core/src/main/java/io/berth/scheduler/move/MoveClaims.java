package io.berth.scheduler.move;

import io.berth.scheduler.claim.AttemptListener;
import io.berth.scheduler.claim.ClaimCandidate;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.groupreservation.GroupReservations;
import io.berth.scheduler.groupreservation.SourceReservation;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.AllocationsResult;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * Claims the target of a move, with one request to placement for each host that is tried. {@link MoveKind#claimWrite}
 * decides what this request does with the allocations on the source. Every claim has a fence number. A rollback of the
 * move starts with a settlement, which raises the fence of the consumers, so that placement refuses a claim that
 * arrives later. The server-group reservations on the target and on the source belong to the record of the move.
 */
final class MoveClaims implements ClaimStrategy {
    private final ClaimLoop loop;
    private final LongFunction<Uni<Void>> onHigherFence;
    private final GroupReservations reservations;
    private final Move move;
    private final AllocationsResult.Allocations held;
    private final @Nullable SourceReservation sourceReservation;
    private final FenceNumbers.Block fenceNumbers;
    private boolean mayHold;

    /**
     * @param onHigherFence called with the fence number that placement has seen, if this number is higher than those of
     *     the move
     * @param held the allocations of the instance before the move, as read
     * @param sourceReservation the server-group reservation on the source; null if the host of the instance is unknown
     */
    MoveClaims(
            ClaimLoop loop,
            LongFunction<Uni<Void>> onHigherFence,
            GroupReservations reservations,
            Move move,
            AllocationsResult.Allocations held,
            @Nullable SourceReservation sourceReservation) {
        this.loop = loop;
        this.onHigherFence = onHigherFence;
        this.fenceNumbers = new FenceNumbers.Block(Objects.requireNonNull(move.number()));
        this.reservations = reservations;
        this.move = move;
        this.held = held;
        this.sourceReservation = sourceReservation;
    }

    @Override
    public <H> Uni<ClaimOutcome<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<ClaimCandidate<H>> ranked,
            AttemptListener<H> attempts) {
        return loop.claimFirst(
                consumer,
                held,
                move.kind().claimWrite(move.migrationUuid()),
                grouping == null
                        ? null
                        : reservations.reservation(grouping, consumer.uuid(),
                                GroupReservations.holder(move.migrationUuid()), sourceReservation),
                ranked,
                attempts,
                new ClaimLoop.RequestFence(fenceNumbers::next, onHigherFence));
    }

    /**
     * Returns whether a claim of the move holds or may hold, so that the move must be rolled back. Covers all attempts
     * to select a target for the move, because a later attempt does not know the claims of an earlier one.
     */
    boolean mayHold() {
        return mayHold;
    }

    /** Only notes whether a claim may hold: {@link Moves} rolls the move back. */
    @Override
    public Uni<Void> rollBackFailed(boolean mayHold) {
        this.mayHold |= mayHold;
        return Uni.createFrom().voidItem();
    }
}
