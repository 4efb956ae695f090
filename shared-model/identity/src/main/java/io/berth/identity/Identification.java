package io.berth.identity;

import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;

/** The result of identifying a request's sender. */
public sealed interface Identification {
    /** Key of the result in the data of a RoutingContext. */
    String KEY = Identification.class.getName();

    /** The sender's credential is valid. */
    record Known(Caller caller) implements Identification {}

    /**
     * The request has no credential, or an invalid one: 401.
     *
     * @param reason the reason, for the client; does not reveal which part of a credential was wrong
     * @param challenge value of the response header WWW-Authenticate
     */
    record Unauthenticated(String reason, String challenge) implements Identification {}

    /**
     * The credential could not be checked: 503, never 401, because the credential may be valid.
     *
     * @param reason the reason, for the client
     */
    record Unavailable(String reason) implements Identification {}

    /** Returns the result for this request; null for a path that {@link IdentityGate} skips. */
    static @Nullable Identification of(RoutingContext request) {
        return request.get(KEY);
    }

    /**
     * Returns the caller of a request. The request's route must have a guard that admits identified callers only;
     * otherwise throws IllegalStateException.
     */
    static Caller callerOf(RoutingContext request) {
        if (of(request) instanceof Known known) {
            return known.caller();
        }
        throw new IllegalStateException("the route has no guard that identifies its callers");
    }
}
