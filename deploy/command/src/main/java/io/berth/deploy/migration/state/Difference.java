package io.berth.deploy.migration.state;

/**
 * One difference between the states of source and target.
 *
 * @param text the difference in one line, for the user
 */
public record Difference(Kind kind, String text) {
    /** Distinguishes items that are still to be copied from items that only the target has. */
    public enum Kind {
        /** An item of the source is missing in the target or has other values there. */
        NOT_AS_IN_SOURCE,
        /** The target has an item that the source does not have. */
        ONLY_IN_TARGET
    }
}
