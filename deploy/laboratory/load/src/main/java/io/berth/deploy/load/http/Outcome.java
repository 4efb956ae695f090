package io.berth.deploy.load.http;

/** The judgment of a response. */
public sealed interface Outcome {
    Outcome GOOD = new Good();
    Outcome REFUSED = new Refused();

    /** The response is the expected one. */
    record Good() implements Outcome {}

    /**
     * The response is a refusal that a working service may send, such as 409 for a claim on a host that has become
     * full.
     */
    record Refused() implements Outcome {}

    /**
     * A response that a working service does not send. The run fails, and prints {@link #reason}, which is one line for
     * the user.
     */
    record Wrong(String reason) implements Outcome {}
}
