package io.berth.scheduler.host;

import io.berth.scheduler.request.ImageReading;
import jakarta.annotation.Nullable;
import java.util.Locale;

/**
 * An instance on a host, with the data that decisions use. The uuid of the instance is the key in {@link
 * HostFacts#instances}.
 *
 * @param flavorId database id of the instance's flavor; null if unknown
 * @param image properties of the instance's image; null if unknown
 * @param isPinned whether the instance's metadata forbid Berth to propose a move of the instance; see {@link #PINNED}
 */
public record RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image, boolean isPinned) {
    /** The metadata key and scheduler hint that forbids Berth to propose a move of the instance. */
    public static final String PINNED = "berth:pinned";

    /** An instance about which only the uuid is known. */
    public static final RunningInstance UNKNOWN = new RunningInstance(null, null);

    /** Creates an instance that is not pinned. */
    public RunningInstance(@Nullable Long flavorId, @Nullable ImageReading image) {
        this(flavorId, image, false);
    }

    /**
     * Returns whether a value of {@link #PINNED} forbids moves. An absent key (null) and the values 0, false, no, off
     * and empty do not; any other value does. Case is ignored.
     */
    public static boolean saysPinned(@Nullable String value) {
        return value != null && switch (value.toLowerCase(Locale.ROOT)) {
            case "", "0", "false", "no", "off" -> false;
            default -> true;
        };
    }
}
