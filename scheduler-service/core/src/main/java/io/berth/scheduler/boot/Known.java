package io.berth.scheduler.boot;

import io.berth.scheduler.http.ApiFault;

/** The result of checking earlier requests for the same instances. */
public sealed interface Known {
    /** No earlier request is recorded. */
    record Nothing() implements Known {}

    /** The same request was made before; its instances hold the allocations in its response. */
    record Answered(String answer) implements Known {}

    record Refused(ApiFault fault) implements Known {}

    /** The conflicting earlier request is resolved: this one may be tried again. */
    record Cleared() implements Known {}
}
