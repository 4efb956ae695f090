package io.berth.scheduler.move;

import io.berth.scheduler.boot.Resources;
import io.berth.scheduler.claim.Attempts;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.ClaimWrite;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.Claiming;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.claim.Made;
import io.berth.scheduler.claim.Placing;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.seat.SeatLeft;
import io.berth.scheduler.seat.Seats;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * Claims the target of a move, one request to placement for each host tried: see {@link MoveKind#claimWrite}. A claim
 * that is still in flight after the move was put back is refused, because putting back raises the generation of the
 * instance's allocations. The seats in a server group, on the target and on the source, belong to the record of the move.
 */
final class MoveClaims implements Claiming {
    private final ClaimLoop loop;
    private final BiFunction<UUID, Set<Map<String, Long>>, Uni<Void>> mayComeLate;
    private final Seats seats;
    private final Move move;
    private final AllocationsAnswer.Held held;
    private final @Nullable SeatLeft left;
    private boolean mayHold;

    /**
     * @param mayComeLate records a claim without a response: the instance, and the sums that any claim of the move may come
     *     to, by resource class. Once the instance is deleted, another claim may reach the generation that it names
     * @param held what the instance holds before the move, as read
     * @param left the seat on the source; null for an instance without a registered host
     */
    MoveClaims(
            ClaimLoop loop,
            BiFunction<UUID, Set<Map<String, Long>>, Uni<Void>> mayComeLate,
            Seats seats,
            Move move,
            AllocationsAnswer.Held held,
            @Nullable SeatLeft left) {
        this.loop = loop;
        this.mayComeLate = mayComeLate;
        this.seats = seats;
        this.move = move;
        this.held = held;
        this.left = left;
    }

    @Override
    public <H> Uni<Placing<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts) {
        ClaimWrite write = move.kind().claimWrite(move.migrationUuid());
        return loop.claimFirst(
                consumer,
                held,
                write,
                grouping == null
                        ? null
                        : seats.seating(grouping, consumer.uuid(), Seats.holder(move.migrationUuid()), left),
                ranked,
                attempts,
                () -> true)
                .call(placing -> placing.inDoubt()
                        ? OpenWork.afterLoss(mayComeLate.apply(consumer.uuid(), totals(write, ranked)))
                        : Uni.createFrom().voidItem());
    }

    private <H> Set<Map<String, Long>> totals(ClaimWrite write, List<Claimable<H>> ranked) {
        return ranked.stream()
                .flatMap(host -> host.requests().stream())
                .map(request -> Resources.of(write.after(held, request).allocations()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether a claim holds, or may: then the move must be put back. A later walk down the list does not know of it. */
    boolean mayHold() {
        return mayHold;
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims, boolean inDoubt) {
        mayHold |= inDoubt || !claims.isEmpty();
        return Uni.createFrom().voidItem();
    }
}
