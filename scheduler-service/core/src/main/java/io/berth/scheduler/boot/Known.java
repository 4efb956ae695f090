package io.berth.scheduler.boot;

import io.berth.scheduler.http.ApiFault;

/** What earlier requests about the same instances mean for a new one. */
public sealed interface Known {
    /** There is none in its way. */
    record Nothing() implements Known {}

    /** The same request was made; its instances hold what its response said. */
    record Answered(String answer) implements Known {}

    record Refused(ApiFault fault) implements Known {}

    /** What was in its way is gone: it may be made. */
    record Cleared() implements Known {}
}
