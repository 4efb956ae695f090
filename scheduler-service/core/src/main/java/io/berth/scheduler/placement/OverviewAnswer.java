package io.berth.scheduler.placement;

/** The result of querying placement for all its trees, or for a report on itself. */
public sealed interface OverviewAnswer {
    /** @param columns a JSON object, UTF-8: placement's {@code GET /berth/v1/fleet} */
    record Received(byte[] columns) implements OverviewAnswer {}

    /** This placement lacks the route, so it is not Berth's. */
    record NotKept() implements OverviewAnswer {}

    record Unreachable(String why) implements OverviewAnswer {}
}
