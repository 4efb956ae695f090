package io.berth.placement.candidate.response;

import io.berth.placement.candidate.search.CandidateSearch;

/** A response body that receives the candidates of a search while the search runs. Not thread-safe. */
interface CandidatesBody extends CandidateSearch.Sink {
    /**
     * Returns whether the body exceeds the limit of bytes. The caller then refuses the request instead of completing
     * the body.
     */
    boolean isTooLarge();

    /** Returns the approximate number of summaries that {@link #finish} will write. */
    long summaryCount();

    /** Completes the body and returns it. Called once, after the search. */
    JsonBytes finish();
}
