package io.berth.placement.provider;

/** The parent that an update gives to a provider. */
sealed interface TreeMove {
    record Unchanged() implements TreeMove {}

    /** The provider becomes a root. */
    record Root() implements TreeMove {}

    /** @param parentId as of the caller's view; the store looks whether it is still there */
    record Below(long parentId) implements TreeMove {}
}
