package io.berth.placement.provider;

/** Where an update wants the provider to stand. */
sealed interface TreeMove {
    record Unchanged() implements TreeMove {}

    /** Without a parent. */
    record Root() implements TreeMove {}

    /** @param parentId as of the caller's view; the store looks whether it is still there */
    record Below(long parentId) implements TreeMove {}
}
