package io.berth.placement.provider;

/** The result of a creation or update of a provider. Nothing was written unless it is {@link Done}. */
sealed interface ProviderOutcome {
    /**
     * The change was committed.
     *
     * @param provider the state of the provider after the change
     */
    record Done(ResourceProvider provider) implements ProviderOutcome {}

    /** The provider does not exist. */
    record Gone() implements ProviderOutcome {}

    /** Another provider has the requested name or uuid. */
    record Taken() implements ProviderOutcome {}

    /** The requested parent does not exist. */
    record NoSuchParent() implements ProviderOutcome {}

    /** The provider has another parent, and the microversion does not allow clients to change the parent. */
    record ReparentingRefused() implements ProviderOutcome {}

    /** The provider has a parent, and the microversion does not allow clients to make the provider a root. */
    record UnparentingRefused() implements ProviderOutcome {}

    /** The requested parent is the provider itself or one of its descendants. */
    record Loop() implements ProviderOutcome {}
}
