package io.berth.placement.provider;

/** Where an update wants the provider to stand. */
sealed interface NewPlace {
    record Unchanged() implements NewPlace {}

    /** Without a parent. */
    record Root() implements NewPlace {}

    /** @param parentId as of the caller's view; the store looks whether it is still there */
    record Below(long parentId) implements NewPlace {}
}
