package io.berth.json;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;

/** Formats times in responses. The text always has milliseconds, so that texts sort like times. */
public final class Timestamps {
    private static final DateTimeFormatter MILLIS = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private Timestamps() {}

    /** Returns the time in UTC, cut to milliseconds, such as {@code 2026-01-31T12:00:00.000Z}. */
    public static String text(Instant moment) {
        return MILLIS.format(moment);
    }
}
