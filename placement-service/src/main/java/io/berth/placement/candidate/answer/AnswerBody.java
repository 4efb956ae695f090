package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.search.CandidateSearch;

/** Receives the candidates of a search, and becomes the body of the response. */
interface AnswerBody extends CandidateSearch.Sink {
    /** Returns whether it exceeds the limit of bytes; it is not completed then. */
    boolean isTooLarge();

    /** Returns the approximate number of summaries that {@link #finish} will write. */
    long summaryCount();

    /** Completes the body and returns it. */
    JsonBytes finish();
}
