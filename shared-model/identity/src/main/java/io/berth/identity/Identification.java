package io.berth.identity;

import io.vertx.ext.web.RoutingContext;

/** The result of identifying a request's sender. */
public sealed interface Identification {
    String KEY = Identification.class.getName();

    /** Proven to the strategy's satisfaction. */
    record Known(Caller caller) implements Identification {}

    /**
     * The request has no credential, or an invalid one: 401.
     *
     * @param why for the client; does not reveal which part of a credential was wrong
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
