package io.berth.scheduler.move;

import io.berth.scheduler.claim.Attempts;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.groupreservation.GroupReservations;
import io.berth.scheduler.groupreservation.SourceReservation;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;

/**
 * Claims the target of a move, with one request to placement for each host tried: see {@link MoveKind#claimWrite}. A
 * claim that is still in flight when the move is rolled back is refused, because the settlement that precedes the
 * rollback raises the fence of its consumers. The reservations in a server group, on the target and on the source,
 * belong to the record of the move.
 */
final class MoveClaims implements ClaimStrategy {
    private final ClaimLoop loop;
    private final LongFunction<Uni<Void>> fenced;
    private final GroupReservations reservations;
    private final Move move;
    private final AllocationsAnswer.Held held;
    private final @Nullable SourceReservation left;
    private final FenceNumbers.Block numbers;
    private boolean mayHold;

    /**
     * @param fenced is called with the number that placement has seen, if it is higher than those of the move
     * @param held the allocations of the instance before the move, as read
     * @param left the reservation on the source; null for an instance without a registered host
     */
    MoveClaims(
            ClaimLoop loop,
            LongFunction<Uni<Void>> fenced,
            GroupReservations reservations,
            Move move,
            AllocationsAnswer.Held held,
            @Nullable SourceReservation left) {
        this.loop = loop;
        this.fenced = fenced;
        this.numbers = new FenceNumbers.Block(Objects.requireNonNull(move.number()));
        this.reservations = reservations;
        this.move = move;
        this.held = held;
        this.left = left;
    }

    @Override
    public <H> Uni<ClaimOutcome<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts) {
        return loop.claimFirst(
                consumer,
                held,
                move.kind().claimWrite(move.migrationUuid()),
                grouping == null
                        ? null
                        : reservations.seating(grouping, consumer.uuid(), GroupReservations.holder(move.migrationUuid()), left),
                ranked,
                attempts,
                new ClaimLoop.Turn(numbers::next, fenced));
    }

    /**
     * Returns whether any claim holds, or may hold: then the move must be rolled back. It covers all decisions of the
     * move, since a later one does not know of an earlier claim.
     */
    boolean mayHold() {
        return mayHold;
    }

    @Override
    public Uni<Void> takeBack(boolean mayHold) {
        this.mayHold |= mayHold;
        return Uni.createFrom().voidItem();
    }
}
