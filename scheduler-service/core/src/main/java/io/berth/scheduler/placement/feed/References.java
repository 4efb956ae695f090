package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.FleetPosition;
import io.berth.scheduler.placement.candidate.QueryParts;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * A response of Berth's Placement to a query for candidates: references to trees, which this replica may have received
 * before, and the providers that serve the parts of the query.
 *
 * @param fleetPosition the last change that placement had applied when it responded
 * @param trees two big-endian longs per tree, in the order of the response: id of the root provider, and version
 * @param requests index of a tree in {@code trees} to its allocation requests. A request is an array of provider ids,
 *     one for each part of the query. A tree that is not a key has one request, in which the root serves all parts. A
 *     tree with an empty value is there only because requests of other trees name its providers
 * @param changed the trees that changed after the positions that the query named, see {@link KnownTrees#positions}
 */
public record References(
        FleetPosition fleetPosition, QueryParts parts, ByteBuffer trees,
        Map<Integer, long[][]> requests, List<ReceivedTree> changed) {
    private static final int TREE_BYTES = 2 * Long.BYTES;

    /** Returns the number of referenced trees. */
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
