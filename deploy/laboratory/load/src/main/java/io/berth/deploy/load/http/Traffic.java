package io.berth.deploy.load.http;

/** A source of requests, which creates each request only when a connection can send it. */
@FunctionalInterface
public interface Traffic {
    /**
     * Returns the next request; null if there is none. After null, a closed loop sends no more requests over the
     * connection that was free, and an open loop ends. Called on the event loop.
     */
    Exchange next();
}
