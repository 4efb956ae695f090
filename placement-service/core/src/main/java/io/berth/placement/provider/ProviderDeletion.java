package io.berth.placement.provider;

/** The result of a deletion of a provider. */
sealed interface ProviderDeletion {
    /** The deletion was committed. */
    record Deleted() implements ProviderDeletion {}

    /** The provider does not exist. */
    record Gone() implements ProviderDeletion {}

    /** The provider has children and was not deleted. */
    record HasChildren() implements ProviderDeletion {}

    /** The provider has allocations and was not deleted. */
    record HasAllocations() implements ProviderDeletion {}
}
