package io.berth.deploy.migration.state;

/** One difference between two services; the text is a line for the terminal. */
public record Difference(Kind kind, String text) {
    /** The side to which the difference belongs. */
    public enum Kind {
        /** The source has it; in the target it is missing or different. */
        NOT_AS_IN_SOURCE,
        /** Only the target has it. */
        ONLY_IN_TARGET
    }
}
