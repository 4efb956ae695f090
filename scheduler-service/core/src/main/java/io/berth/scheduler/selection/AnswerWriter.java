package io.berth.scheduler.selection;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.trace.DecisionTrace;

/** Renders the response to a selection before it is sent, so that it can be stored with the request's record. */
public interface AnswerWriter {
    /**
     * A response that was rendered before it is sent.
     *
     * @param answer the response to send; it has an explanation if the request wants one
     * @param plain the response without an explanation, which is stored and sent to a repetition of the request
     */
    record RenderedResponse(String answer, String plain) {}

    /**
     * Renders the response to a selection.
     *
     * @param explained whether the response includes each host's verdict
     * @param trace the decision trace of the request, to which the response's warnings are added
     */
    RenderedResponse render(Outcome.Selected selected, RequestSpec spec, boolean explained, DecisionTrace trace);

    /**
     * Returns the error for a request that failed; it refers to the decision record if there is one.
     *
     * @param explained whether the error includes each host's verdict
     * @param trace the decision trace of the request, which has the warnings
     */
    ApiFault fault(Outcome.Failure failure, RequestSpec spec, boolean explained, DecisionTrace trace);
}
