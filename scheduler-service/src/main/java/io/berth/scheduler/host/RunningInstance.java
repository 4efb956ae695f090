package io.berth.scheduler.host;

import io.berth.scheduler.request.ImageReading;
import jakarta.annotation.Nullable;

/**
 * What is known of an instance on a host beside its uuid.
 *
 * @param flavorId database id of its flavor; null if unknown
 * @param image properties of the image it was made from; null if the image is unknown
 */
public record RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image) {
    /** Only the uuid is known. */
    public static final RunningInstance UNKNOWN = new RunningInstance(null, null);
}
