package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The strategy by which the instances of one request claim their hosts, and by which the claims of a failed request
 * are rolled back.
 */
public interface ClaimStrategy {
    /**
     * The first claim of a request, with what is known before it is made.
     *
     * @param first the allocation request that is tried first, for the first instance
     * @param answer the response if the first claim holds; null if it cannot be known yet
     * @param registration of the only instance on the host that is tried first, as JSON text; null for several
     */
    record Plan(
            AllocationRequest first,
            @Nullable String answer,
            @Nullable String registration) {}

    /** Returns whether the request has a record, so that {@link #begin} must be called before the first claim. */
    default boolean isRecorded() {
        return false;
    }

    /**
     * Announces the claim that will be tried first after {@link #begin}, so that other requests that decide at the
     * same time count it.
     */
    default void announce(AllocationRequest first) {}

    /** @return false if nothing may be claimed because another request for the same instances came first */
    default Uni<Boolean> begin(Plan plan) {
        return Uni.createFrom().item(true);
    }

    /**
     * Claims the first host of a ranked list that can be claimed.
     *
     * @param grouping the instance's server group, in which it reserves its place on a host before it claims there;
     *     null for none
     * @param attempts is notified of each claim
     */
    <H> Uni<ClaimOutcome<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts);

    /**
     * One of several instances of a request, and its host.
     *
     * @param grouping as in {@link #claimFirst}
     */
    record Choice<H>(Consumer consumer, @Nullable Grouping<H> grouping, H host, AllocationRequest request) {}

    /**
     * Claims the hosts of all instances of a request in one write, all or none: {@link ClaimLoop#claimTogether}. Called
     * only for several instances.
     */
    default <H> Uni<ClaimOutcome<List<H>>> claimTogether(List<Choice<H>> choices, Attempts<List<H>> attempts) {
        throw new UnsupportedOperationException("claims one instance");
    }

    /**
     * Confirms that the first claim holds, so that the response given to {@link #begin} is valid.
     *
     * @return false if that response is not recorded: then {@link #placed} must follow
     */
    default boolean asPlanned() {
        return true;
    }

    /**
     * Records that all instances are claimed.
     *
     * @param answer the response to the client
     * @param registrations the instances' registrations as JSON text, in their order
     * @return false if another owner took the request over: then nothing is held for it
     */
    default Uni<Boolean> placed(String answer, List<String> registrations) {
        return Uni.createFrom().item(true);
    }

    /**
     * Rolls back a failed request. Never fails.
     *
     * @param mayHold whether one of its claims holds, or may hold
     */
    Uni<Void> takeBack(boolean mayHold);
}
