package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/** How the instances of one request come to hold their hosts, and what becomes of that when the request fails. */
public interface Claiming {
    /**
     * What is about to be claimed.
     *
     * @param first the claim that is tried first, of the first instance
     * @param answer what the caller will be told if the first claim holds; null where that is not known yet
     * @param registration of the only instance on the host that is tried first, as JSON text; null for several
     */
    record Plan(
            AllocationRequest first,
            @Nullable String answer,
            @Nullable String registration) {}

    /** Returns whether there is a record of the request, so that {@link #begin} must come before the first claim. */
    default boolean isRecorded() {
        return false;
    }

    /** Which claim will be tried first once {@link #begin} is through: requests of the same moment count it already. */
    default void announce(AllocationRequest first) {}

    /** @return false when nothing may be claimed: another request about the same instances came first */
    default Uni<Boolean> begin(Plan plan) {
        return Uni.createFrom().item(true);
    }

    /**
     * Down the list until one claim holds.
     *
     * @param grouping null for an instance of no server group; else it takes its seat on a host before it claims there
     * @param attempts is told of each claim
     */
    <H> Uni<Placing<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<Claimable<H>> ranked, Attempts<H> attempts);

    /**
     * The first claim holds, and gives the response that {@link #begin} was given.
     *
     * @return false if that is not recorded: then {@link #placed} must follow
     */
    default boolean asPlanned() {
        return true;
    }

    /**
     * All is claimed.
     *
     * @param answer what the caller will be told
     * @param registrations the instances' records in the registry as JSON text, in their order
     * @return false if somebody else took the request over: then nothing is held for it
     */
    default Uni<Boolean> placed(String answer, List<String> registrations) {
        return Uni.createFrom().item(true);
    }

    /**
     * The request failed. Never fails.
     *
     * @param mayHold whether one of its claims holds, or may hold
     */
    Uni<Void> takeBack(boolean mayHold);
}
