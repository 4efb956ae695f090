package io.berth.placement.candidate;

/** How a search ended. */
sealed interface CandidatesOutcome {
    record Answered(byte[] json) implements CandidatesOutcome {}

    /** More combinations were tried than a request may cost. */
    record TooManyCombinations() implements CandidatesOutcome {}

    /** The answer would have more bytes than may be held. */
    record TooLarge() implements CandidatesOutcome {}
}
