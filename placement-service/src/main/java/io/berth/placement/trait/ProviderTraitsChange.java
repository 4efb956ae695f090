package io.berth.placement.trait;

/** What came of setting a provider's traits. */
sealed interface ProviderTraitsChange {
    /** @param generation of the provider, afterwards */
    record Done(int generation) implements ProviderTraitsChange {}

    record ProviderGone() implements ProviderTraitsChange {}

    /** Somebody else wrote first. */
    record GenerationConflict() implements ProviderTraitsChange {}

    /** A trait was deleted meanwhile. */
    record TraitGone() implements ProviderTraitsChange {}
}
