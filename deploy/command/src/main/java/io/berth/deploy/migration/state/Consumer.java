package io.berth.deploy.migration.state;

import java.util.Map;
import java.util.UUID;
import java.util.function.ObjLongConsumer;

/**
 * A consumer with its allocations.
 *
 * @param project the project's id
 * @param user the user's id
 * @param type the consumer type; {@link #UNTYPED} if no client ever set it
 * @param amounts allocated units, by provider and then by resource class; never empty
 */
public record Consumer(String project, String user, String type, Map<UUID, Map<String, Long>> amounts) {
    /**
     * The type that the API returns, from microversion 1.38, for a consumer without a type; clients cannot write it.
     */
    public static final String UNTYPED = "unknown";

    /** A resource class of a provider, of which consumers can have allocations. */
    public record Place(UUID provider, String resourceClass) {}

    /** Calls {@code action} with each allocation: its place, and its amount in units of the class. */
    public void forEachAmount(ObjLongConsumer<Place> action) {
        amounts.forEach((provider, byClass) -> byClass.forEach(
                (resourceClass, units) -> action.accept(new Place(provider, resourceClass), units)));
    }
}
