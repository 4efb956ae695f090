package io.berth.scheduler.claim;

import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.UUID;

/** How the instances of one request come to hold their hosts, and what becomes of that when the request fails. */
public interface Claiming {
    /**
     * Clears away what earlier, failed requests left of these consumers.
     *
     * @return false when that is impossible now; then nothing may be claimed yet
     */
    Uni<Boolean> settle(List<UUID> consumers, String requestId);

    /** Down the list until one claim holds. */
    <H> Uni<Placing<H>> claimFirst(Consumer consumer, List<Claimable<H>> ranked);

    /** The request failed after these claims were made. Never fails. */
    Uni<Void> takeBack(List<Made> claims);

    /** One claim without an answer, at the end of a request that fails for it. Never fails. */
    Uni<Void> leaveInDoubt(Made claim);
}
