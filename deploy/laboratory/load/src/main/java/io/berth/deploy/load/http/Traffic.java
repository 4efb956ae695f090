package io.berth.deploy.load.http;

/** A sequence of requests, made while it is sent. */
@FunctionalInterface
public interface Traffic {
    /** The next request, made on the event loop; null when there is none (any more) for the connection that asks. */
    Exchange next();
}
