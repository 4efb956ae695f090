package io.berth.deploy.load.http;

/** How an answer is judged. */
public sealed interface Outcome {
    Outcome GOOD = new Good();
    Outcome REFUSED = new Refused();

    /** What the request was sent for. */
    record Good() implements Outcome {}

    /** A refusal that the API allows here, such as a claim that came too late for the last room. */
    record Refused() implements Outcome {}

    /** Not to be seen from a service that works; fails the run. */
    record Wrong(String why) implements Outcome {}
}
