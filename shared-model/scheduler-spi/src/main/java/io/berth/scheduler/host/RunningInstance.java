package io.berth.scheduler.host;

import io.berth.scheduler.request.ImageReading;
import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * The facts about an instance on a host, apart from its uuid.
 *
 * @param flavorId database id of its flavor; null if unknown
 * @param image properties of the image it was made from; null if the image is unknown
 * @param isPinned whether its metadata exclude it from proposed moves
 */
public record RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image, boolean isPinned) {
    /** Name of the metadata, and of the hint, by which an instance stays where it is: no move of it is proposed. */
    public static final String PINNED = "berth:pinned";

    /** An instance of which only the uuid is known. */
    public static final RunningInstance UNKNOWN = new RunningInstance(null, null);

    /** An instance that may be moved. */
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
