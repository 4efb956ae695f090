package io.berth.scheduler.requestrecord;

import io.berth.scheduler.http.ApiFault;

/** The result of checking earlier requests for the same instances. */
public sealed interface PriorRequest {
    /** No earlier request is recorded. */
    record Nothing() implements PriorRequest {}

    /** The same request was made before; its instances hold the allocations in its response. */
    record Answered(String answer) implements PriorRequest {}

    record Refused(ApiFault fault) implements PriorRequest {}

    /** The conflicting earlier request is resolved: this one may be tried again. */
    record Cleared() implements PriorRequest {}
}
