package io.berth.placement.provider;

/** The parent that an update gives to a provider. */
sealed interface TreeMove {
    record Unchanged() implements TreeMove {}

    /** The provider becomes a root. */
    record Root() implements TreeMove {}

    /**
     * The provider gets this parent.
     *
     * @param parentId id from the caller's view; the store checks whether that provider still exists
     */
    record Below(long parentId) implements TreeMove {}
}
