package io.berth.placement.provider;

/** The result of a creation or update of a provider. Nothing was written unless it is {@link Done}. */
sealed interface ProviderChange {
    /**
     * The change was committed.
     *
     * @param provider the state of the provider after the change
     */
    record Done(ResourceProvider provider) implements ProviderChange {}

    /** The provider does not exist. */
    record Gone() implements ProviderChange {}

    /** Another provider has the requested name or uuid. */
    record Taken() implements ProviderChange {}

    /** The requested parent does not exist. */
    record NoSuchParent() implements ProviderChange {}

    /** The provider has another parent, and the microversion does not allow clients to change the parent. */
    record ReparentingRefused() implements ProviderChange {}

    /** The provider has a parent, and the microversion does not allow clients to make the provider a root. */
    record UnparentingRefused() implements ProviderChange {}

    /** The requested parent is the provider itself or one of its descendants. */
    record Loop() implements ProviderChange {}
}
