package io.berth.placement.aggregate;

/** The result of setting a provider's aggregates. */
sealed interface AggregatesChange {
    /**
     * Committed.
     *
     * @param generation the provider's generation after the change
     */
    record Done(int generation) implements AggregatesChange {}

    record ProviderGone() implements AggregatesChange {}

    /** The provider's generation changed meanwhile. */
    record GenerationConflict() implements AggregatesChange {}
}
