package io.berth.placement.provider;

/** The result of deleting a provider. */
sealed interface ProviderDeletion {
    record Deleted() implements ProviderDeletion {}

    record Gone() implements ProviderDeletion {}

    record HasChildren() implements ProviderDeletion {}

    record HasAllocations() implements ProviderDeletion {}
}
