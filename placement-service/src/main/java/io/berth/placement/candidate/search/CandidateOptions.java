package io.berth.placement.candidate.search;

/**
 * The options for generating candidates; upstream's options in {@code [placement]}.
 *
 * @param randomize trees and providers in random order
 * @param candidatesMax most candidates generated, whatever the query's limit; {@link #NO_MAXIMUM} for no such bound
 */
public record CandidateOptions(boolean randomize, int candidatesMax, Strategy strategy) {
    public static final int NO_MAXIMUM = -1;
    public static final CandidateOptions DEFAULT = new CandidateOptions(false, NO_MAXIMUM, Strategy.BREADTH_FIRST);

    /**
     * The order of candidates. With {@link #BREADTH_FIRST}, each tree gives one candidate before any gives a second.
     */
    public enum Strategy {
        DEPTH_FIRST,
        BREADTH_FIRST;

        /** @throws IllegalArgumentException for anything but {@code depth-first} and {@code breadth-first} */
        public static Strategy parse(String text) {
            return switch (text) {
                case "depth-first" -> DEPTH_FIRST;
                case "breadth-first" -> BREADTH_FIRST;
                default -> throw new IllegalArgumentException(
                        "allocation-candidates-generation-strategy=" + text
                                + " is neither depth-first nor breadth-first");
            };
        }
    }
}
