package io.berth.placement.provider;

/** The change of a provider's parent that an update requests. */
sealed interface TreeMove {
    /** The provider keeps its parent. */
    record Unchanged() implements TreeMove {}

    /** The provider becomes a root. */
    record Root() implements TreeMove {}

    /**
     * The provider gets the given parent.
     *
     * @param parentId id of the parent in the caller's view; the store checks whether the parent still exists
     */
    record Below(long parentId) implements TreeMove {}
}
