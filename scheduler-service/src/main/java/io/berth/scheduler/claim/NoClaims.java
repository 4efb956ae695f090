package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.UUID;

/** Takes the best host without claiming anything: for rebuild checks and nameless instances. */
public enum NoClaims implements Claiming {
    NO_CLAIMS;

    @Override
    public Uni<Boolean> settle(List<UUID> consumers, String requestId) {
        return Uni.createFrom().item(true);
    }

    @Override
    public <H> Uni<Placing<H>> claimFirst(Consumer consumer, List<Claimable<H>> ranked) {
        return Uni.createFrom().item(ranked.isEmpty()
                ? new Placing.NoneLeft<>(0, "")
                : new Placing.Selected<>(ranked.getFirst().host(), ranked.getFirst().request()));
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
