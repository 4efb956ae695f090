package io.berth.scheduler.placement;

import io.berth.scheduler.placement.candidate.AllocationCandidates;

/** What a question for allocation candidates can come to. */
public sealed interface CandidatesAnswer {
    /** 200, perhaps with nothing in it. */
    record Found(AllocationCandidates candidates) implements CandidatesAnswer {}

    /** Placement understood us and said no (4xx), for example to an unknown trait. Counts as no candidates. */
    record Refused(int status, String detail) implements CandidatesAnswer {}

    /** No usable answer in time, or one that blames placement itself. Never "no valid host". */
    record Unreachable(String why) implements CandidatesAnswer {}
}
