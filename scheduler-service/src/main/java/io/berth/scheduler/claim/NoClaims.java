package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/** Takes the best host without claiming anything: for rebuild checks and nameless instances. */
public enum NoClaims implements Claiming {
    NO_CLAIMS;

    @Override
    public <H> Uni<Placing<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts) {
        return Uni.createFrom().item(ranked.isEmpty()
                ? new Placing.NoneLeft<>(0, "")
                : new Placing.Selected<>(ranked.getFirst().host(), ranked.getFirst().requests().getFirst(), false));
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims, boolean inDoubt) {
        return Uni.createFrom().voidItem();
    }
}
