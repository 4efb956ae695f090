package io.berth.placement.candidate.search;

import java.util.Arrays;

/**
 * Decides whether each of several parts can have a different provider: a bipartite matching by augmenting paths.
 * Without this check, the search of a tree with too few providers would try every permutation of them.
 */
final class DistinctChoices {
    /**
     * With more parts than this, only the numbers of parts and providers are compared, because the matching would take
     * longer than the search that it avoids.
     */
    private static final int PARTS_MAX = 64;

    private final int[][] choices;
    private final int[] choiceCount;
    private final int first;
    /** By position of a provider, the part that is matched with it; -1 for none. */
    private final int[] partAt;
    private final boolean[] visited;

    private DistinctChoices(int[][] choices, int[] choiceCount, int first, int positions) {
        this.choices = choices;
        this.choiceCount = choiceCount;
        this.first = first;
        this.partAt = new int[positions];
        this.visited = new boolean[positions];
        Arrays.fill(partAt, -1);
    }

    /**
     * Returns whether the parts from {@code first} on can have different providers.
     *
     * @param choices by part, the positions of the providers that can serve the part
     * @param choiceCount by part, the number of elements of {@code choices} that are in use
     * @param first the first part that needs a provider of its own; all parts after it do, too
     * @param positions the number of providers
     */
    static boolean exist(int[][] choices, int[] choiceCount, int first, int positions) {
        int wanted = choices.length - first;
        if (wanted > positions) {
            return false;
        }
        return wanted > PARTS_MAX || new DistinctChoices(choices, choiceCount, first, positions).matchAll();
    }

    private boolean matchAll() {
        for (int part = first; part < choices.length; part++) {
            Arrays.fill(visited, false);
            if (!match(part)) {
                return false;
            }
        }
        return true;
    }

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
