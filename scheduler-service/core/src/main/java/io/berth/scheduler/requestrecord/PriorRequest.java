package io.berth.scheduler.requestrecord;

import io.berth.scheduler.http.ApiFault;

/** The consequence of earlier requests for the same instances for a new request, according to their records. */
public sealed interface PriorRequest {
    /** There is no such record. */
    record Nothing() implements PriorRequest {}

    /**
     * The same request was placed before, and its instances still hold those allocations.
     *
     * @param answer the stored response
     */
    record Answered(String answer) implements PriorRequest {}

    /**
     * An earlier request forbids the new one, or its state is unknown.
     *
     * @param fault the response to the new request
     */
    record Refused(ApiFault fault) implements PriorRequest {}

    /** The earlier request is finished and does not conflict any more. The new request must be decided again. */
    record Cleared() implements PriorRequest {}
}
