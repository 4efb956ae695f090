package io.berth.json;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Moments as answers tell them: always with milliseconds, so that texts compare as the moments do. */
public final class Moments {
    private static final DateTimeFormatter MILLIS = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private Moments() {}

    public static String text(Instant moment) {
        return MILLIS.format(moment);
    }
}
