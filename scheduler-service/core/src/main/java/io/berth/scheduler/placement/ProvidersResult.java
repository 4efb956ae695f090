package io.berth.scheduler.placement;

import java.util.Map;

/** The result of listing providers. */
public sealed interface ProvidersResult {
    /** @param namesByUuid provider uuid to name */
    record Listed(Map<String, String> namesByUuid) implements ProvidersResult {}

    /** No usable response in time. */
    record Unreachable(String why) implements ProvidersResult {}
}
