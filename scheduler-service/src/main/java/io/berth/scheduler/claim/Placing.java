package io.berth.scheduler.claim;

import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;

/** What the walk down a ranked list can come to. */
public sealed interface Placing<H> {
    /**
     * Whether a claim had no answer, so that it may hold or commit late. While the consumer holds another it cannot; once that
     * is taken back it can.
     */
    boolean inDoubt();

    /** The consumer holds this host. */
    record Selected<H>(H host, AllocationRequest request, boolean inDoubt) implements Placing<H> {}

    /**
     * Every host refused, and each in so many words.
     *
     * @param attempts claims made
     * @param lastRefusal placement's words, empty when there was no host to try
     */
    record NoneLeft<H>(int attempts, String lastRefusal) implements Placing<H> {
        @Override
        public boolean inDoubt() {
            return false;
        }
    }

    /** The instance's server group is on other hosts, which this list need not have: it is to be decided anew. */
    record GroupElsewhere<H>(String why) implements Placing<H> {
        @Override
        public boolean inDoubt() {
            return false;
        }
    }

    /** Placement refuses what no other host would mend. */
    record Denied<H>(ClaimResult.Denied denied, boolean inDoubt) implements Placing<H> {}

    /** The consumer is held by somebody else: "allocation update failed", not "no valid host". */
    record Aborted<H>(String detail) implements Placing<H> {
        @Override
        public boolean inDoubt() {
            return false;
        }
    }

    /** Nothing more may be claimed: whoever claims is not sure any more that nobody has taken the request over. */
    record Overtaken<H>(boolean inDoubt) implements Placing<H> {}

    /** A claim may hold or commit late, and no other holds. The caller must have the consumer released. */
    record InDoubt<H>(AllocationRequest request, String why) implements Placing<H> {
        @Override
        public boolean inDoubt() {
            return true;
        }
    }
}
