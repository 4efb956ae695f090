package io.berth.placement.candidate.search;

/** The work that a slice of a search may still do, in steps of some tens of nanoseconds. Not thread-safe. */
final class StepBudget {
    private long left;

    StepBudget(long steps) {
        this.left = steps;
    }

    /** Charges steps. The balance may fall below zero, because started work is finished. */
    void spend(long steps) {
        left -= steps;
    }

    boolean isSpent() {
        return left <= 0;
    }
}
