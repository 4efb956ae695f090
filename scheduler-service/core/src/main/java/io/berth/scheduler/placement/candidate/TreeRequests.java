package io.berth.scheduler.placement.candidate;

import java.util.ArrayList;
import java.util.List;

/** The allocation requests of a response that take anything from one provider tree. */
public interface TreeRequests {
    /** Returns the requests in placement's order; the same objects each time. The first call may create them. */
    List<AllocationRequest> list();

    /** Returns whether any request takes from that provider. */
    boolean takeFrom(String providerUuid);

    default boolean isEmpty() {
        return list().isEmpty();
    }

    /** Requests that exist already. */
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
