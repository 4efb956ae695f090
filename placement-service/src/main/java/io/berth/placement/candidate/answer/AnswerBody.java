package io.berth.placement.candidate.answer;

import io.berth.placement.candidate.search.CandidateSearch;

/** Takes the candidates of a search, and is the body of the answer in the end. */
interface AnswerBody extends CandidateSearch.Sink {
    /** Returns whether it has more bytes than may be held; it is not brought to its end then. */
    boolean isTooLarge();

    /** About how many summaries {@link #finish} will write. */
    long summaryCount();

    /** The whole body. Takes nothing more. */
    JsonBytes finish();
}
