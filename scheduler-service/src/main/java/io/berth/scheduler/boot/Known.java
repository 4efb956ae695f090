package io.berth.scheduler.boot;

import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;
import java.util.UUID;

/** What earlier requests about the same instances mean for a new one. */
public sealed interface Known {
    /** There is none in its way. */
    record Nothing() implements Known {}

    /** The same request was made; its instances hold what it was told. */
    record Answered(String answer) implements Known {}

    record Refused(ApiFault fault) implements Known {}

    /**
     * What was in its way is gone: it may be made.
     *
     * @param token of its own record, taken over while a claim of before may still commit; null without one
     */
    record Cleared(@Nullable UUID token) implements Known {}
}
