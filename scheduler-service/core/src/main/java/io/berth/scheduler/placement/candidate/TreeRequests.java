package io.berth.scheduler.placement.candidate;

import java.util.ArrayList;
import java.util.List;

/** Those requests of an answer that take anything from one provider tree. */
public interface TreeRequests {
    /** In placement's order; the same objects each time. Perhaps made only now. */
    List<AllocationRequest> list();

    /** Returns whether there is one that takes from that provider. */
    boolean takeFrom(String providerUuid);

    default boolean isEmpty() {
        return list().isEmpty();
    }

    /** Requests that are there already. */
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

    /** These, and the others behind. */
    default TreeRequests followedBy(TreeRequests others) {
        List<AllocationRequest> both = new ArrayList<>(list());
        both.addAll(others.list());
        return new Listed(both);
    }
}
