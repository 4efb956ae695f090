package io.berth.placement.aggregate;

/** The result of a write of a provider's aggregates. */
sealed interface AggregatesOutcome {
    /**
     * The aggregates were written and committed.
     *
     * @param generation the provider's generation after the change
     */
    record Done(int generation) implements AggregatesOutcome {}

    /** The provider does not exist; nothing was written. */
    record ProviderGone() implements AggregatesOutcome {}

    /** The provider no longer has the client's generation; nothing was written. */
    record GenerationConflict() implements AggregatesOutcome {}
}
