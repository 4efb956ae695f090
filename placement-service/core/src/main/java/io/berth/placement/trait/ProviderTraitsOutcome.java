package io.berth.placement.trait;

/** The result of a write of a provider's traits. Nothing was written unless it is {@link Done}. */
sealed interface ProviderTraitsOutcome {
    /**
     * The traits were written and committed.
     *
     * @param generation the provider's generation after the change
     */
    record Done(int generation) implements ProviderTraitsOutcome {}

    /** The provider does not exist. */
    record ProviderGone() implements ProviderTraitsOutcome {}

    /** The provider no longer has the client's generation. */
    record GenerationConflict() implements ProviderTraitsOutcome {}

    /** A trait was deleted after the request was checked. */
    record TraitGone() implements ProviderTraitsOutcome {}
}
