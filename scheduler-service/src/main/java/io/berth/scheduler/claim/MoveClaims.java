package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.smallrye.mutiny.Uni;
import java.util.List;

/**
 * The claim of an instance on the move, beside what it holds. Takes nothing back: whoever moves puts everything back
 * as it was in one transaction, which also shuts out a claim that is still on its way.
 *
 * @param held what the instance keeps; nothing when its allocations are with a migration meanwhile
 */
public record MoveClaims(ClaimLoop loop, AllocationsAnswer.Held held) implements Claiming {
    @Override
    public <H> Uni<Placing<H>> claimFirst(Consumer consumer, List<Claimable<H>> ranked) {
        return loop.claimFirst(consumer, held, ranked, () -> true);
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims, boolean inDoubt) {
        return Uni.createFrom().voidItem();
    }
}
