package io.berth.scheduler.placement;

import java.util.Map;

/** What a listing of all providers can come to. */
public sealed interface ProvidersAnswer {
    /** Provider uuid to name. */
    record Listed(Map<String, String> namesByUuid) implements ProvidersAnswer {}

    record Unreachable(String why) implements ProvidersAnswer {}
}
