package io.berth.placement.trait;

/** The result of setting a provider's traits. */
sealed interface ProviderTraitsChange {
    /**
     * Committed.
     *
     * @param generation the provider's generation after the change
     */
    record Done(int generation) implements ProviderTraitsChange {}

    record ProviderGone() implements ProviderTraitsChange {}

    /** The provider's generation changed meanwhile. */
    record GenerationConflict() implements ProviderTraitsChange {}

    /** A trait was deleted meanwhile. */
    record TraitGone() implements ProviderTraitsChange {}
}
