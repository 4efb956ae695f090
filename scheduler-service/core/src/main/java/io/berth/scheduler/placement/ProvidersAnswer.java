package io.berth.scheduler.placement;

import java.util.Map;

/** The result of listing providers. */
public sealed interface ProvidersAnswer {
    /** Provider uuid to name. */
    record Listed(Map<String, String> namesByUuid) implements ProvidersAnswer {}

    record Unreachable(String why) implements ProvidersAnswer {}
}
