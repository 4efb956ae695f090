package io.berth.placement.provider;

/** The result of changing one provider. */
sealed interface ProviderChange {
    /** Committed; as it was then. */
    record Done(ResourceProvider provider) implements ProviderChange {}

    record Gone() implements ProviderChange {}

    /** Another provider has the name or the uuid. */
    record Taken() implements ProviderChange {}

    record NoSuchParent() implements ProviderChange {}

    /** It has another parent, and the caller may not change that. */
    record ReparentingRefused() implements ProviderChange {}

    /** It has a parent, and the caller may not take it away. */
    record UnparentingRefused() implements ProviderChange {}

    /** The new parent is the provider itself or below it. */
    record Loop() implements ProviderChange {}
}
