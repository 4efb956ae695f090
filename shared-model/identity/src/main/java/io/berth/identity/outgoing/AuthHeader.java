package io.berth.identity.outgoing;

/** The header that authenticates this service. Its text is a secret. */
public record AuthHeader(String name, String value) {
    @Override
    public String toString() {
        return name + ": ***";
    }
}
