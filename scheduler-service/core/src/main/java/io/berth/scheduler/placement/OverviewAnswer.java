package io.berth.scheduler.placement;

/** What asking placement for all its trees can come to. */
public sealed interface OverviewAnswer {
    /** @param columns a JSON object, UTF-8: placement's {@code GET /berth/v1/fleet} */
    record Told(byte[] columns) implements OverviewAnswer {}

    /** This placement has no such route: it is not Berth's. */
    record NotKept() implements OverviewAnswer {}

    record Unreachable(String why) implements OverviewAnswer {}
}
