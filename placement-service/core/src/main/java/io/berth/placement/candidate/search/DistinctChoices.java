package io.berth.placement.candidate.search;

import java.util.Arrays;

/**
 * Decides whether each of several {@link GroupPart}s of a query can have a different provider: a bipartite matching by
 * augmenting paths. Without this check, the search of a tree with too few providers would try every permutation of
 * these providers.
 */
final class DistinctChoices {
    /**
     * The most parts that are matched. With more, only the numbers of parts and providers are compared, because the
     * matching would take longer than the search that it avoids.
     */
    private static final int PARTS_MAX = 64;

    private final int[][] choices;
    private final int[] choiceCount;
    private final int firstPart;
    /** By position of a provider, the part that is matched with it; -1 for none. */
    private final int[] partAt;
    private final boolean[] visited;

    private DistinctChoices(int[][] choices, int[] choiceCount, int firstPart, int positions) {
        this.choices = choices;
        this.choiceCount = choiceCount;
        this.firstPart = firstPart;
        this.partAt = new int[positions];
        this.visited = new boolean[positions];
        Arrays.fill(partAt, -1);
    }

    /**
     * Returns whether the parts from {@code firstPart} on can have different providers. With more than {@value
     * #PARTS_MAX} parts, returns whether there are at least as many providers as parts.
     *
     * @param choices by part, the positions of the providers that can serve the part
     * @param choiceCount by part, the number of elements of {@code choices} that are in use
     * @param firstPart the first part that needs a provider of its own; all later parts need one, too
     * @param positions the number of providers
     */
    static boolean exist(int[][] choices, int[] choiceCount, int firstPart, int positions) {
        int partCount = choices.length - firstPart;
        if (partCount > positions) {
            return false;
        }
        return partCount > PARTS_MAX || new DistinctChoices(choices, choiceCount, firstPart, positions).matchAll();
    }

    private boolean matchAll() {
        for (int part = firstPart; part < choices.length; part++) {
            Arrays.fill(visited, false);
            if (!match(part)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Matches the part with a provider, by moving earlier parts to other providers if necessary. Returns false if that
     * is impossible.
     */
    private boolean match(int part) {
        for (int i = 0; i < choiceCount[part]; i++) {
            int position = choices[part][i];
            if (!visited[position]) {
                visited[position] = true;
                if (partAt[position] < 0 || match(partAt[position])) {
                    partAt[position] = part;
                    return true;
                }
            }
        }
        return false;
    }
}
