package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.UUID;

/**
 * The claim of an instance on the move, beside what it holds. Takes nothing back: whoever moves puts everything back
 * as it was in one transaction, which also shuts out a claim that is still on its way.
 *
 * @param held what the instance keeps; nothing when its allocations are with a migration meanwhile
 */
record MoveClaims(ClaimLoop loop, Releases releases, AllocationsAnswer.Held held) implements Claiming {
    @Override
    public Uni<Boolean> settle(List<UUID> consumers, String requestId) {
        return held.allocations().isEmpty()
                ? releases.settle(consumers, requestId)
                : Uni.createFrom().item(true);
    }

    @Override
    public <H> Uni<Placing<H>> claimFirst(Consumer consumer, List<Claimable<H>> ranked) {
        return loop.claimFirst(consumer, held, ranked);
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims) {
        return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> leaveInDoubt(Made claim) {
        return Uni.createFrom().voidItem();
    }
}
