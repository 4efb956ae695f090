package io.berth.scheduler.placement;

import io.berth.scheduler.placement.candidate.AllocationCandidates;

/** The result of a query for allocation candidates. */
public sealed interface CandidatesResult {
    /** A response with status 200; it may have no candidates. */
    record Found(AllocationCandidates candidates) implements CandidatesResult {}

    /**
     * Placement understood the query and refused it (4xx, but not 401, 403, 408 or 429, which are {@link Unreachable}),
     * for example because of an unknown trait. Callers treat it as a response without candidates.
     */
    record Refused(int status, String detail) implements CandidatesResult {}

    /**
     * No usable response in time, a server error, or placement refuses the scheduler's credentials. Callers must not
     * treat it as "no valid host".
     */
    record Unreachable(String why) implements CandidatesResult {}
}
