package io.berth.scheduler.request;

/** The result of reading the raw properties of an image. */
public sealed interface ImageReading {
    /** All known properties had valid values. */
    record Read(ImageProperties properties) implements ImageReading {}

    /** A known property has an invalid value: an error of the request, never of a host. */
    record Unreadable(String detail) implements ImageReading {}
}
