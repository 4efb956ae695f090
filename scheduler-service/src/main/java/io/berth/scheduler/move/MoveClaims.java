package io.berth.scheduler.move;

import io.berth.scheduler.boot.Resources;
import io.berth.scheduler.claim.Attempts;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.Claiming;
import io.berth.scheduler.claim.ClaimLoop;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The claim of an instance on the move, beside what it holds. Takes nothing back: whoever moves puts everything back
 * as it was in one transaction, which also shuts out a claim that is still on its way. Its seats in a server group, on
 * the host it goes to and on the one it leaves, go with the record of the move.
 *
 * @param mayComeLate is told of an instance with a claim that had no answer, and of all that it may come to hold then: resource
 *     class to amount
 * @param held what the instance keeps; nothing when its allocations are with a migration meanwhile
 * @param left the seat it leaves; null where it leaves no host
 * @param mayHold set when a claim had no answer. A request may be decided again: a later walk down the list does not know
 *     of it
 */
public record MoveClaims(
        ClaimLoop loop,
        BiFunction<UUID, Set<Map<String, Long>>, Uni<Void>> mayComeLate,
        Seats seats,
        Move move,
        AllocationsAnswer.Held held,
        @Nullable SeatLeft left,
        AtomicBoolean mayHold)
        implements Claiming {
    MoveClaims(
            ClaimLoop loop,
            BiFunction<UUID, Set<Map<String, Long>>, Uni<Void>> mayComeLate,
            Seats seats,
            Move move,
            AllocationsAnswer.Held held,
            @Nullable SeatLeft left) {
        this(loop, mayComeLate, seats, move, held, left, new AtomicBoolean());
    }

    @Override
    public <H> Uni<Placing<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts) {
        return loop.claimFirst(
                consumer,
                held,
                grouping == null
                        ? null
                        : seats.seating(grouping, consumer.uuid(), Seats.holder(move.migrationUuid()), left),
                ranked,
                attempts,
                new Turn())
                .call(placing -> placing.inDoubt()
                        ? OpenWork.afterLoss(mayComeLate.apply(consumer.uuid(), totals(ranked)))
                        : Uni.createFrom().voidItem());
    }

    /** Of all that the instance may come to hold. */
    private <H> Set<Map<String, Long>> totals(List<Claimable<H>> ranked) {
        return ranked.stream()
                .flatMap(host -> host.requests().stream())
                .map(request -> Resources.of(Consumer.beside(held, request).allocations()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private final class Turn implements ClaimLoop.Turn {
        @Override
        public boolean isSure() {
            return true;
        }

        @Override
        public boolean mayHold() {
            return mayHold.get();
        }
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims, boolean inDoubt) {
        if (inDoubt) {
            mayHold.set(true);
        }
        return Uni.createFrom().voidItem();
    }
}
