package io.berth.placement.candidate.search;

/** Work that may still be done, in steps of some tens of nanoseconds. For one thread. */
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
