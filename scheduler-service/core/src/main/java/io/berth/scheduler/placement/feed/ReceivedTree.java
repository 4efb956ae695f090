package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.ProviderTree;
import jakarta.annotation.Nullable;

/**
 * A provider tree as Berth's Placement returned it.
 *
 * @param id of the root provider in placement's database
 * @param version hash of the content; equal content has the same hash on every replica
 * @param providerIds database id of each provider, in the order of the tree's summaries
 */
public record ReceivedTree(long id, long version, long[] providerIds, ProviderTree tree) {
    /** Returns the uuid of a provider; null if the provider is not in this tree. */
    @Nullable String uuidOf(long providerId) {
        for (int i = 0; i < providerIds.length; i++) {
            if (providerIds[i] == providerId) {
                return tree.summaries().get(i).uuid();
            }
        }
        return null;
    }
}
