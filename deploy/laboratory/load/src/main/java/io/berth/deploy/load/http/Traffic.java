package io.berth.deploy.load.http;

/** A sequence of requests, made while it is sent. */
@FunctionalInterface
public interface Traffic {
    /**
     * Returns the next request, called on the event loop; null if there is none (any more) for the calling connection.
     */
    Exchange next();
}
