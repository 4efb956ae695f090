package io.berth.identity;

import io.vertx.ext.web.RoutingContext;

/** What is known of a request's sender. */
public sealed interface Identification {
    String KEY = Identification.class.getName();

    /** Proven to the strategy's satisfaction. */
    record Known(Caller caller) implements Identification {}

    /**
     * Nothing was presented, or nothing that is valid: 401.
     *
     * @param why for the client; says nothing about which part of a credential was wrong
     * @param challenge value of WWW-Authenticate
     */
    record Unauthenticated(String why, String challenge) implements Identification {}

    /**
     * It cannot be found out now: 503, never 401, since the credential may be good.
     *
     * @param why for the client
     */
    record Unavailable(String why) implements Identification {}

    /** Returns null for a path that {@link IdentityGate} does not look at. */
    static Identification of(RoutingContext request) {
        return request.get(KEY);
    }
}
