package io.berth.deploy.load.http;

/** The judgment of a response. */
public sealed interface Outcome {
    Outcome GOOD = new Good();
    Outcome REFUSED = new Refused();

    /** The response is the expected one. */
    record Good() implements Outcome {}

    /** A refusal that the API allows here, such as a claim that came too late for the last room. */
    record Refused() implements Outcome {}

    /** A working service does not respond like this; fails the run. */
    record Wrong(String why) implements Outcome {}
}
