package io.berth.scheduler.host;

import io.berth.scheduler.request.ImageReading;
import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * An instance on a host, without its uuid.
 *
 * @param flavorId database id of its flavor; null if unknown
 * @param image properties of the image it was made from; null if the image is unknown
 * @param isPinned whether its metadata pin it to its host
 */
public record RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image, boolean isPinned) {
    /** Names the metadata, and the hint, that pin an instance to its host: no move of it is proposed. */
    public static final String PINNED = "berth:pinned";

    /** An instance of which only the uuid is known. */
    public static final RunningInstance UNKNOWN = new RunningInstance(null, null);

    /** Creates an instance that may be moved. */
    public RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image) {
        this(flavorId, image, false);
    }

    /** Returns whether a value of {@link #PINNED} keeps the instance where it is; null stands for no value. */
    public static boolean saysPinned(@Nullable String value) {
        return value != null && switch (value.toLowerCase(Locale.ROOT)) {
            case "", "0", "false", "no", "off" -> false;
            default -> true;
        };
    }
}
