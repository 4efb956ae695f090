package io.berth.placement.candidate.answer;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * An answer that some client may hold.
 *
 * @param query the query string it answers, as the client wrote it
 * @param renames count of renamed resource classes when its summaries were rendered
 * @param trees in the order of the answer, each root once
 */
record HeldAnswer(String token, String query, int renames, HeldTree[] trees) {
    private static final int HEADER_BYTES = 256;

    /** About what it takes in memory. */
    long bytes() {
        long bytes = HEADER_BYTES + 2L * query.length();
        for (HeldTree tree : trees) {
            bytes += tree.bytes();
        }
        return bytes;
    }

    /** Finds positions of roots; quick when they are asked for in the answer's order. For one thread. */
    static final class Positions {
        private final HeldTree[] trees;
        private Map<UUID, Integer> byRoot;
        private int next;

        Positions(HeldAnswer answer) {
            this.trees = answer.trees;
        }

        /** -1 when the answer does not have that root. */
        int find(UUID rootUuid) {
            if (next < trees.length && trees[next].rootUuid().equals(rootUuid)) {
                return next++;
            }
            if (byRoot == null) {
                byRoot = HashMap.newHashMap(trees.length);
                for (int i = 0; i < trees.length; i++) {
                    byRoot.put(trees[i].rootUuid(), i);
                }
            }
            Integer found = byRoot.get(rootUuid);
            if (found == null) {
                return -1;
            }
            next = found + 1;
            return found;
        }
    }
}
