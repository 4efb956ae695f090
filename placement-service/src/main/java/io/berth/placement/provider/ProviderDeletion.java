package io.berth.placement.provider;

/** What came of deleting a provider. */
sealed interface ProviderDeletion {
    record Deleted() implements ProviderDeletion {}

    record Gone() implements ProviderDeletion {}

    record HasChildren() implements ProviderDeletion {}

    record HasAllocations() implements ProviderDeletion {}
}
