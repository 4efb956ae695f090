package io.berth.scheduler.selection;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.trace.DecisionTrace;

/** Renders the response to a selection before it is sent, so that it can be stored with the request's record. */
public interface AnswerWriter {
    /**
     * A response that was rendered before it is sent.
     *
     * @param plain the response without an explanation, as it is stored
     */
    record RenderedResponse(String answer, String plain) {}

    /**
     * Renders the response to a selection.
     *
     * @param explained whether the response itself describes how every host fared
     * @param trace the decision trace of the request, to which the response's warnings are added
     */
    RenderedResponse render(Outcome.Selected selected, RequestSpec spec, boolean explained, DecisionTrace trace);

    ApiFault fault(Outcome.Failure failure, RequestSpec spec, boolean explained, DecisionTrace trace);
}
