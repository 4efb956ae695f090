package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** Claims for instances that hold nothing yet. All of them are taken back when the request fails, now or later. */
@Singleton
public class NewClaims implements Claiming {
    private final ClaimLoop loop;
    private final Releases releases;

    public NewClaims(ClaimLoop loop, Releases releases) {
        this.loop = loop;
        this.releases = releases;
    }

    /** Claims of an instance on the move, which keeps what it holds. */
    public Claiming beside(AllocationsAnswer.Held held) {
        return new MoveClaims(loop, releases, held);
    }

    @Override
    public Uni<Boolean> settle(List<UUID> consumers, String requestId) {
        return releases.settle(consumers, requestId);
    }

    @Override
    public <H> Uni<Placing<H>> claimFirst(Consumer consumer, List<Claimable<H>> ranked) {
        return loop.claimFirst(consumer, ranked);
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims) {
        return releases.releaseAll(claims);
    }

    @Override
    public Uni<Void> leaveInDoubt(Made claim) {
        return releases.recordForLater(claim);
    }
}
