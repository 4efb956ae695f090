package io.berth.json;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Formats times in responses, always with milliseconds, so that the texts sort like the times. */
public final class Moments {
    private static final DateTimeFormatter MILLIS = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private Moments() {}

    public static String text(Instant moment) {
        return MILLIS.format(moment);
    }
}
