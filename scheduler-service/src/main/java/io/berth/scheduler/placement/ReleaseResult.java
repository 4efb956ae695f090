package io.berth.scheduler.placement;

/** What the release of a consumer's allocations can come to. */
public sealed interface ReleaseResult {
    /** Placement deleted the allocations. */
    record Released() implements ReleaseResult {}

    /** There was nothing to delete. A claim whose answer was lost may still commit after this. */
    record NothingHeld() implements ReleaseResult {}

    /** Not known whether anything was deleted. Ask again later. */
    record Unreachable(String why) implements ReleaseResult {}
}
