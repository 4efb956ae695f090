package io.berth.scheduler.requestrecord;

import io.berth.scheduler.http.ApiFault;

/** The effect of earlier requests on a new request for the same instances, according to the earlier ones' records. */
public sealed interface PriorRequest {
    /** There is no record with the key of the new request, and none that owns one of its instances. */
    record Nothing() implements PriorRequest {}

    /**
     * The same request has placed its instances before, and they still hold the allocations of its response.
     *
     * @param answer the stored response
     */
    record Answered(String answer) implements PriorRequest {}

    /**
     * An earlier request forbids the new one, or the state of an earlier request is unknown.
     *
     * @param fault the response to the new request
     */
    record Refused(ApiFault fault) implements PriorRequest {}

    /** The earlier request is finished and does not conflict any more. The new request may be decided. */
    record Cleared() implements PriorRequest {}
}
