package io.berth.placement.aggregate;

/** What came of setting a provider's aggregates. */
sealed interface AggregatesChange {
    /** @param generation of the provider, after the change */
    record Done(int generation) implements AggregatesChange {}

    record ProviderGone() implements AggregatesChange {}

    /** Somebody else wrote first. */
    record GenerationConflict() implements AggregatesChange {}
}
