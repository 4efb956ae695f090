package io.berth.scheduler.request;

/** The result of parsing the properties of an image. */
public sealed interface ImageReading {
    /** All known properties have valid values. */
    record Read(ImageProperties properties) implements ImageReading {}

    /** A known property has an invalid value, which is an error of the request. */
    record Unreadable(String detail) implements ImageReading {}
}
