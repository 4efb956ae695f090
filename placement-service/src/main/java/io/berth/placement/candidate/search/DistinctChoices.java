package io.berth.placement.candidate.search;

import java.util.Arrays;

/**
 * Decides whether parts that must not share a provider can each have one: a bipartite matching by augmenting paths.
 * Without it, the search of a tree would try every permutation of too few providers.
 */
final class DistinctChoices {
    /**
     * With more parts, only the numbers of parts and providers are compared: the matching would cost more than it
     * saves.
     */
    private static final int PARTS_MAX = 64;

    private final int[][] choices;
    private final int[] choiceCount;
    private final int first;
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
     * Returns whether each part that must differ can have a provider of its own.
     *
     * @param choices by part, the positions of the providers that can serve it
     * @param choiceCount by part, how many elements of {@code choices} are used
     * @param first the first of the parts that must differ; all parts after it must differ, too
     * @param positions number of providers
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
