package io.berth.placement.candidate.search;

/**
 * The number of steps that a search may still take before it pauses. A step takes some tens of nanoseconds. Not
 * thread-safe.
 */
final class StepBudget {
    private long remainingSteps;

    StepBudget(long steps) {
        this.remainingSteps = steps;
    }

    /** Subtracts steps. The remainder may become negative, because a unit of work is finished once it has begun. */
    void spend(long steps) {
        remainingSteps -= steps;
    }

    boolean isSpent() {
        return remainingSteps <= 0;
    }
}
