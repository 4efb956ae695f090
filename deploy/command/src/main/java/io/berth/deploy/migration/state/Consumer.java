package io.berth.deploy.migration.state;

import java.util.Map;
import java.util.UUID;
import java.util.function.ObjLongConsumer;

/**
 * A consumer with its allocations.
 *
 * @param type {@link #UNTYPED} when no client ever set it
 * @param amounts units by provider and resource class; never empty
 */
public record Consumer(String project, String user, String type, Map<UUID, Map<String, Long>> amounts) {
    /** The type that the API returns from 1.38 on; no client can write it. */
    public static final String UNTYPED = "unknown";

    /** A resource class of a provider. */
    public record Place(UUID provider, String resourceClass) {}

    public void forEachAmount(ObjLongConsumer<Place> each) {
        amounts.forEach((provider, byClass) -> byClass.forEach(
                (resourceClass, units) -> each.accept(new Place(provider, resourceClass), units)));
    }
}
