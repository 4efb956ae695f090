package io.berth.deploy.load.http;

/** The judgment of a response. */
public sealed interface Outcome {
    Outcome GOOD = new Good();
    Outcome REFUSED = new Refused();

    /** The response is the expected one. */
    record Good() implements Outcome {}

    /**
     * The response is a refusal that a working service may give, such as 409 for a claim on a host that is full by
     * then.
     */
    record Refused() implements Outcome {}

    /** A working service does not respond like this. The run fails, and shows {@code why}, one line. */
    record Wrong(String why) implements Outcome {}
}
