package io.berth.scheduler.selection;

import java.util.EnumMap;
import java.util.Map;

/**
 * The retry policy of a request that claims hosts: what begins another attempt, how often in one request, and the
 * response when the limit is reached. Each request has its own object, which counts.
 */
final class Retries {
    /** The reason for another attempt. */
    enum Cause {
        /** An earlier request for the same instances is resolved. Then: 409, another request is under way. */
        EARLIER_REQUEST(2),
        /** The members of the server group are on hosts that were not ranked. Then: no valid host. */
        GROUP_ELSEWHERE(4),
        /**
         * Heap memory was granted only after a wait, so the registry is outdated. A search waits once, and at most
         * four searches of a request begin without memory. Then: 503.
         */
        WAITED_FOR_MEMORY(4),
        /**
         * No host is valid while claims of other requests count, which may fail: the next attempts do not count them.
         * Then: no valid host.
         */
        CLAIMS_OF_OTHERS(1),
        /** No host is valid among the limited candidates: the next attempts query all. Then: no valid host. */
        LIMITED_CANDIDATES(1);

        private final int most;

        Cause(int most) {
            this.most = most;
        }
    }

    private final Map<Cause, Integer> counts = new EnumMap<>(Cause.class);

    /** Counts another attempt. False if its limit is reached. */
    boolean allow(Cause cause) {
        return counts.merge(cause, 1, Integer::sum) <= cause.most;
    }

    /** Returns whether this cause has occurred. */
    boolean had(Cause cause) {
        return counts.containsKey(cause);
    }
}
