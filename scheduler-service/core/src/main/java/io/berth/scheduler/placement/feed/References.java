package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.Moment;
import io.berth.scheduler.placement.candidate.QueryParts;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * A response of Berth's Placement to a query for candidates: trees by reference, and which providers serve the parts
 * of the query.
 *
 * @param trees root provider id and version of each tree, in the order of the response
 * @param requests by position in {@code trees}: the provider id at each part, for each request; a tree that is not in
 *     the map has one request, in which the root serves all parts
 * @param changed trees that changed since a response that the query names
 */
public record References(
        Moment moment, QueryParts parts, ByteBuffer trees, Map<Integer, long[][]> requests, List<ReceivedTree> changed) {
    private static final int TREE_BYTES = 2 * Long.BYTES;

    int count() {
        return trees.limit() / TREE_BYTES;
    }

    long id(int position) {
        return trees.getLong(position * TREE_BYTES);
    }

    long version(int position) {
        return trees.getLong(position * TREE_BYTES + Long.BYTES);
    }
}
