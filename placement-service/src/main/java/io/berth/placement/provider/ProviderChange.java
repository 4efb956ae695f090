package io.berth.placement.provider;

/** The result of changing one provider. */
sealed interface ProviderChange {
    /**
     * Committed.
     *
     * @param provider its state after the change
     */
    record Done(ResourceProvider provider) implements ProviderChange {}

    record Gone() implements ProviderChange {}

    /** Another provider has the name or the uuid. */
    record Taken() implements ProviderChange {}

    record NoSuchParent() implements ProviderChange {}

    /** It has another parent, and the microversion does not allow to change that. */
    record ReparentingRefused() implements ProviderChange {}

    /** It has a parent, and the microversion does not allow to remove it. */
    record UnparentingRefused() implements ProviderChange {}

    /** The new parent is the provider itself or below it. */
    record Loop() implements ProviderChange {}
}
