package io.berth.identity.outgoing;

/**
 * The header that authenticates this service in a request to another service. The value is a secret, which {@link
 * #toString} omits.
 */
public record AuthHeader(String name, String value) {
    @Override
    public String toString() {
        return name + ": ***";
    }
}
