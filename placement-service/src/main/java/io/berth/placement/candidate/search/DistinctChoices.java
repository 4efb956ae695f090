package io.berth.placement.candidate.search;

import java.util.Arrays;

/**
 * Decides whether parts that must not share a provider can each have one: a bipartite matching by augmenting paths. It
 * keeps the walk from trying every permutation of too few providers.
 */
final class DistinctChoices {
    /** Above it only the numbers are compared: the matching would cost more than it saves. */
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
     * @param first the first of the parts that must differ; all after it do too
     * @param positions how many providers there are
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
