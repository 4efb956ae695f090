package io.berth.scheduler.selection;

import java.util.EnumMap;
import java.util.Map;

/**
 * The retry policy of a request that claims hosts: which cause begins another attempt, and how often per request. In
 * the javadoc of a cause, "Then" is followed by the response after the last attempt. Each request has its own object,
 * which counts its attempts. Not thread-safe.
 */
final class Retries {
    /** The reason for another attempt. */
    enum Cause {
        /**
         * An earlier request for the same instances was in conflict and is resolved now. Then: 409, another request is
         * under way.
         */
        EARLIER_REQUEST(2),
        /** The affinity group has members on hosts that may be missing from the ranked list. Then: no valid host. */
        GROUP_ELSEWHERE(4),
        /**
         * A search waited for heap, so the registry may be outdated, and the next attempt reads it again. At most four
         * searches of a request begin without heap, and each of them waits once: the first one, one without a limit of
         * candidates, and one after each EARLIER_REQUEST. Then: 503.
         */
        WAITED_FOR_MEMORY(4),
        /**
         * There was no valid host, but in-flight claims of other requests were subtracted, which may still fail.
         * Further attempts do not subtract such claims. Then: no valid host.
         */
        CLAIMS_OF_OTHERS(1),
        /**
         * There was no valid host among limited candidates. Further attempts query all candidates. Then: no valid host.
         */
        LIMITED_CANDIDATES(1);

        private final int max;

        Cause(int max) {
            this.max = max;
        }
    }

    private final Map<Cause, Integer> counts = new EnumMap<>(Cause.class);

    /** Counts an attempt for this cause. False if the limit of the cause is exceeded. */
    boolean allow(Cause cause) {
        return counts.merge(cause, 1, Integer::sum) <= cause.max;
    }

    /** Returns whether an attempt for this cause was counted. */
    boolean wasCounted(Cause cause) {
        return counts.containsKey(cause);
    }
}
