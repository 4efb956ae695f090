package io.berth.placement.candidate.scenario;

import io.berth.placement.candidate.response.AfterParameter;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.query.JsonAt;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.List;

/**
 * The parsed body of {@code POST /berth/v1/what_if}. Only the changes are not parsed yet, because {@link ScenarioFleet}
 * can parse them only while it applies them to a view.
 *
 * @param timeout the time after which the evaluation ends incomplete, 1 to 60 seconds; the default is 10
 * @param changes the changes that make the scenario, in order
 * @param before whether all queries are evaluated a second time, without the changes
 * @param queries the queries ({@code asks}), at least one
 * @param after versions of the fleet view that the client has received already, from any replica; the response contains
 *         the trees that changed after the latest version of this replica
 * @param keep how long the replica keeps the view for further requests; zero if the replica need not keep the view
 * @param view the replica and version of a view that was kept for an earlier request ({@link ViewCache}); null for the
 *         present view
 * @param providersAddedMax the most resource providers that changes may add
 */
record WhatIfBody(
        Duration timeout,
        List<JsonAt> changes, boolean before, List<ScenarioQuery> queries, List<AfterParameter.Seen> after,
        Duration keep, @Nullable AfterParameter.Seen view, int providersAddedMax) {
    /** The maximum number of queries in a request. */
    static final int QUERIES_MAX = 1_000;
    /** The longest position in {@code after} or {@code view}, in characters. */
    private static final int POSITION_LENGTH_MAX = 100;
    /** The longest time for which a view is kept: the longest timeout of a request, plus time for its transport. */
    private static final int KEEP_SECONDS_MAX = 70;
    private static final int TIMEOUT_SECONDS = 10;
    private static final int TIMEOUT_SECONDS_MAX = 60;
    /** The most providers that changes may add. A small heap allows fewer: they may fill a sixteenth of the heap. */
    private static final int PROVIDERS_ADDED_MAX = 100_000;

    WhatIfBody {
        changes = List.copyOf(changes);
        queries = List.copyOf(queries);
        after = List.copyOf(after);
    }

    /**
     * Parses the body.
     *
     * @throws io.berth.placement.http.ApiException 400 or 413; the message contains the path of the invalid value
     */
    static WhatIfBody parse(byte[] bytes) {
        JsonAt body = JsonAt.body(bytes).object(
                "timeout_s", "changes", "before", "asks", "after", "keep_s", "view");
        JsonAt timeout = body.find("timeout_s");
        JsonAt changes = body.find("changes");
        JsonAt before = body.find("before");
        JsonAt after = body.find("after");
        JsonAt keep = body.find("keep_s");
        JsonAt view = body.find("view");
        List<JsonAt> asks = body.get("asks").list(QUERIES_MAX);
        if (asks.isEmpty()) {
            throw body.get("asks").refused("must contain at least one query");
        }
        return new WhatIfBody(
                Duration.ofSeconds(timeout == null ? TIMEOUT_SECONDS : timeout.integer(1, TIMEOUT_SECONDS_MAX)),
                changes == null ? List.of() : changes.list(ScenarioFleet.CHANGES_MAX),
                before != null && before.flag(),
                asks.stream().map(ScenarioQuery::parse).toList(),
                after == null
                        ? List.of()
                        : after.list(AfterParameter.COUNT_MAX).stream().map(WhatIfBody::position).toList(),
                Duration.ofSeconds(keep == null ? 0 : keep.integer(1, KEEP_SECONDS_MAX)),
                view == null ? null : position(view),
                (int) Math.min(PROVIDERS_ADDED_MAX, Runtime.getRuntime().maxMemory() / 16 / FleetView.PROVIDER_BYTES));
    }

    private static AfterParameter.Seen position(JsonAt position) {
        AfterParameter.Seen seen = AfterParameter.Seen.find(position.text(POSITION_LENGTH_MAX));
        if (seen == null) {
            throw position.refused(AfterParameter.Seen.MUST_BE);
        }
        return seen;
    }
}
