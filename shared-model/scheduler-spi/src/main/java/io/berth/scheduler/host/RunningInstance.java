package io.berth.scheduler.host;

import io.berth.scheduler.request.ImageReading;
import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * The facts about an instance on a host, apart from its uuid.
 *
 * @param flavorId database id of its flavor; null if unknown
 * @param image properties of the image it was made from; null if the image is unknown
 * @param isPinned whether its metadata forbid to propose a move of it
 */
public record RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image, boolean isPinned) {
    /** The name of the metadata key, and of the scheduler hint, that forbids to propose a move of an instance. */
    public static final String PINNED = "berth:pinned";

    /** An instance about which only the uuid is known. */
    public static final RunningInstance UNKNOWN = new RunningInstance(null, null);

    /** Creates an instance that may be moved. */
    public RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image) {
        this(flavorId, image, false);
    }

    /** Returns whether this value of the key {@link #PINNED} forbids moves; null stands for a missing key. */
    public static boolean saysPinned(@Nullable String value) {
        return value != null && switch (value.toLowerCase(Locale.ROOT)) {
            case "", "0", "false", "no", "off" -> false;
            default -> true;
        };
    }
}
