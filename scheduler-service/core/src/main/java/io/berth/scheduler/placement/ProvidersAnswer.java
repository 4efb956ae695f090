package io.berth.scheduler.placement;

import java.util.Map;

/** The result of listing providers. */
public sealed interface ProvidersAnswer {
    /** @param namesByUuid provider uuid to name */
    record Listed(Map<String, String> namesByUuid) implements ProvidersAnswer {}

    /** No usable response in time. */
    record Unreachable(String why) implements ProvidersAnswer {}
}
