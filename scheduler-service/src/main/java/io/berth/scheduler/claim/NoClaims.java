package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.search.Computing;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Takes the best host without claiming anything: for rebuild checks, dry runs and drivers that claim nothing. */
public final class NoClaims implements Claiming {
    public static final NoClaims NO_CLAIMS = new NoClaims(amounts -> true);

    /** Hosts that may all have to be looked at. */
    private static final int QUICK_MAX = 2_000;

    private final Predicate<Map<String, Map<String, Long>>> claims;

    /** @param claims whether a claim of these amounts would hold beside those before; by provider and resource class */
    public NoClaims(Predicate<Map<String, Map<String, Long>>> claims) {
        this.claims = claims;
    }

    @Override
    public <H> Uni<Placing<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts) {
        return Computing.run(ranked.size() <= QUICK_MAX, () -> choose(ranked));
    }

    private <H> Placing<H> choose(List<Claimable<H>> ranked) {
        int refused = 0;
        for (Claimable<H> host : ranked) {
            for (AllocationRequest request : host.requests()) {
                if (claims.test(request.allocations())) {
                    return new Placing.Selected<>(host.host(), request, false);
                }
                refused++;
            }
        }
        return new Placing.NoneLeft<>(refused, "no room beside the instances before it");
    }

    @Override
    public Uni<Void> takeBack(List<Made> claims, boolean inDoubt) {
        return Uni.createFrom().voidItem();
    }
}
