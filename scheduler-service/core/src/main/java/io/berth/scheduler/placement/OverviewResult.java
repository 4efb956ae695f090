package io.berth.scheduler.placement;

/**
 * The result of a query for all trees of placement ({@code GET /berth/v1/fleet}), or for placement's report on its own
 * state.
 */
public sealed interface OverviewResult {
    /** @param body the response body: a JSON object in UTF-8 */
    record Received(byte[] body) implements OverviewResult {}

    /** This Placement lacks the route, so it is OpenStack's, not Berth's. */
    record NotSupported() implements OverviewResult {}

    /** No usable response in time. */
    record Unreachable(String why) implements OverviewResult {}
}
