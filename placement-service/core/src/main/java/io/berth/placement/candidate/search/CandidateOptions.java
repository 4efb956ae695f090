package io.berth.placement.candidate.search;

/**
 * The operator's options for the search of candidates, which are upstream's options in {@code [placement]}.
 *
 * @param randomize whether trees and providers are searched in random order
 * @param candidatesMax the most candidates of a search, independent of the query's limit; {@link #NO_MAXIMUM} for no
 *         maximum
 * @param strategy the order of candidates
 */
public record CandidateOptions(boolean randomize, int candidatesMax, Strategy strategy) {
    /** The value of {@link #candidatesMax} that means no maximum. */
    public static final int NO_MAXIMUM = -1;
    public static final CandidateOptions DEFAULT = new CandidateOptions(false, NO_MAXIMUM, Strategy.BREADTH_FIRST);

    /**
     * The order of candidates. With {@link #BREADTH_FIRST}, the search finds one candidate of each tree before the
     * second candidate of any tree. With {@link #DEPTH_FIRST}, and always if neither the query nor the options limit
     * the candidates, it finds all candidates of a tree before those of the next tree.
     */
    public enum Strategy {
        DEPTH_FIRST,
        BREADTH_FIRST;

        /**
         * Parses the value of upstream's option.
         *
         * @throws IllegalArgumentException if the text is neither {@code depth-first} nor {@code breadth-first}
         */
        public static Strategy parse(String text) {
            return switch (text) {
                case "depth-first" -> DEPTH_FIRST;
                case "breadth-first" -> BREADTH_FIRST;
                default -> throw new IllegalArgumentException(
                        "allocation-candidates-generation-strategy=" + text
                                + ": must be depth-first or breadth-first");
            };
        }
    }
}
