package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.ProviderTree;
import jakarta.annotation.Nullable;

/**
 * A tree as Berth's Placement returned it.
 *
 * @param id of its root
 * @param version a hash of its content: the same on every replica for the same content
 * @param providerIds by position in the tree's summaries
 */
public record ReceivedTree(long id, long version, long[] providerIds, ProviderTree tree) {
    /** Returns null if the provider is not in this tree. */
    @Nullable String uuidOf(long providerId) {
        for (int i = 0; i < providerIds.length; i++) {
            if (providerIds[i] == providerId) {
                return tree.summaries().get(i).uuid();
            }
        }
        return null;
    }
}
