package io.berth.placement.candidate.answer;

import io.berth.placement.fleet.Provider;
import io.berth.placement.fleet.ProviderTree;
import java.util.List;
import java.util.UUID;

/**
 * What is remembered of one tree of an answer: enough to tell whether a client that has it has the present state.
 *
 * @param treeNumber {@link ProviderTree#number} of the state whose summaries were sent
 * @param requests the providers' uuids, two numbers each, part by part and request by request
 */
record HeldTree(UUID rootUuid, long treeNumber, long[] requests) {
    private static final int HEADER_BYTES = 64;

    static HeldTree of(ProviderTree tree, List<Provider[]> requests) {
        long[] uuids = new long[2 * requests.stream().mapToInt(request -> request.length).sum()];
        int filled = 0;
        for (Provider[] request : requests) {
            for (Provider provider : request) {
                uuids[filled++] = provider.uuid().getMostSignificantBits();
                uuids[filled++] = provider.uuid().getLeastSignificantBits();
            }
        }
        return new HeldTree(tree.root().uuid(), tree.number(), uuids);
    }

    /** With the same query, the same providers give the same text of the requests. */
    boolean hasRequests(List<Provider[]> others) {
        int at = 0;
        for (Provider[] request : others) {
            if (at + 2 * request.length > requests.length) {
                return false;
            }
            for (Provider provider : request) {
                UUID uuid = provider.uuid();
                if (requests[at++] != uuid.getMostSignificantBits()
                        || requests[at++] != uuid.getLeastSignificantBits()) {
                    return false;
                }
            }
        }
        return at == requests.length;
    }

    long bytes() {
        return HEADER_BYTES + 8L * requests.length;
    }
}
