package io.berth.scheduler.request;

/** The result of parsing the properties of an image. */
public sealed interface ImageReading {
    /** All known properties have valid values. */
    record Read(ImageProperties properties) implements ImageReading {}

    /**
     * A known property has an invalid value. For the image of a requested instance, this is an error of the request.
     *
     * @param detail the name of the property, and what is wrong with its value
     */
    record Unreadable(String detail) implements ImageReading {}
}
