package io.berth.deploy.migration.state;

/** One thing that two services do not tell alike; the text is a line for the terminal. */
public record Difference(Kind kind, String text) {
    /** Which side it speaks of. */
    public enum Kind {
        /** The source has it, the target does not, or not so. */
        NOT_AS_IN_SOURCE,
        /** The target has it, the source never had or has no more. */
        ONLY_IN_TARGET
    }
}
