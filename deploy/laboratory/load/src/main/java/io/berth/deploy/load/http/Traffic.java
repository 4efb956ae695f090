package io.berth.deploy.load.http;

/** A source of requests. It creates each request when a connection can send it. */
@FunctionalInterface
public interface Traffic {
    /**
     * Returns the next request, or null if there is none; then a closed loop asks no more for this connection, and an
     * open loop ends. Called on the event loop.
     */
    Exchange next();
}
