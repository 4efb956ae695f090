package io.berth.scheduler.placement.candidate;

import java.util.ArrayList;
import java.util.List;

/** The allocation requests of a response that use a provider of one tree. */
public interface TreeRequests {
    /**
     * Returns the requests in placement's order. The first call may create them; later calls return the same objects.
     */
    List<AllocationRequest> list();

    /** Returns whether a request uses this provider. */
    boolean takeFrom(String providerUuid);

    default boolean isEmpty() {
        return list().isEmpty();
    }

    /** Requests that were created already. */
    record Listed(List<AllocationRequest> list) implements TreeRequests {
        @Override
        public boolean takeFrom(String providerUuid) {
            for (AllocationRequest request : list) {
                if (request.allocations().containsKey(providerUuid)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Returns these requests followed by the others. */
    default TreeRequests followedBy(TreeRequests others) {
        List<AllocationRequest> both = new ArrayList<>(list());
        both.addAll(others.list());
        return new Listed(both);
    }
}
