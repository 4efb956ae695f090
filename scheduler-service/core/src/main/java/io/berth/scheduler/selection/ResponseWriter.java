package io.berth.scheduler.selection;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.trace.DecisionTrace;

/**
 * Renders the response of a selection: before the first claim, if the outcome can be computed then, so that the record
 * of the request already has the response; otherwise after the claims.
 */
public interface ResponseWriter {
    /**
     * A rendered response, as JSON text.
     *
     * @param answer the response to send; has an explanation if the request wants one
     * @param plain the response without an explanation, which is stored and sent to a repetition of the request
     */
    record RenderedResponse(String answer, String plain) {}

    /**
     * Renders the response of a selection.
     *
     * @param explained whether the response has the verdict on each host
     * @param trace the decision trace of the request, whose warnings are part of the response
     */
    RenderedResponse render(SelectionOutcome.Selected selected, RequestSpec spec, boolean explained,
            DecisionTrace trace);

    /**
     * Returns the error for a request that failed. It names the decision record, if there is one.
     *
     * @param explained whether the error has the verdict on each host
     * @param trace the decision trace of the request, whose warnings are part of the error
     */
    ApiFault fault(SelectionOutcome.Failure failure, RequestSpec spec, boolean explained, DecisionTrace trace);
}
