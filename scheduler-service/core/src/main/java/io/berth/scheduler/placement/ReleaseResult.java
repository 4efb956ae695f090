package io.berth.scheduler.placement;

/** What the release of a consumer's allocations can come to. */
public sealed interface ReleaseResult {
    /** Placement deleted the allocations. */
    record Released() implements ReleaseResult {}

    /** There was nothing to delete. */
    record NothingHeld() implements ReleaseResult {}

    /** A higher number was used for the consumer: the request has another owner by now. Nothing was deleted. */
    record Fenced(long fence) implements ReleaseResult {}

    /** Not known whether anything was deleted. Settle. */
    record Unreachable(String why) implements ReleaseResult {}
}
