package io.berth.scheduler.response;

import io.berth.scheduler.text.WireNamed;

/**
 * The outcome of a query as one word, which scripts read from the response header {@value #HEADER}. Each route defines
 * the question that the word answers, for example whether a decision selected hosts.
 */
public enum AnalysisOutcome implements WireNamed {
    YES, NO,
    /** The response lacks results, for example because the query reached its time limit. */
    INCOMPLETE;

    public static final String HEADER = "berth-answer";

    /** @param isYes the answer to the route's question; ignored if the response is not complete */
    public static AnalysisOutcome of(boolean isComplete, boolean isYes) {
        return !isComplete ? INCOMPLETE : isYes ? YES : NO;
    }
}
