package io.berth.placement.candidate.scenario;

import io.berth.placement.candidate.answer.AfterParameter;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.query.JsonAt;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.List;

/**
 * The parsed body of {@code POST /berth/v1/what_if}. Only the changes are not parsed yet, because that needs a view.
 *
 * @param timeout 1 to 60 seconds; 10 by default
 * @param before whether all questions are also evaluated without the changes
 * @param asks at least one
 * @param after the positions up to which the client has cached trees; the response adds trees that changed since.
 *         Empty: it adds none
 * @param keep how long to retain this response's snapshot for follow-up queries; zero: not at all
 * @param view the retained snapshot to evaluate; null: the present one
 * @param providersAddedMax how many resource providers changes may add
 */
record WhatIfBody(
        Duration timeout, List<JsonAt> changes, boolean before, List<Ask> asks, List<AfterParameter.Seen> after,
        Duration keep, @Nullable AfterParameter.Seen view, int providersAddedMax) {
    static final int ASKS_MAX = 1_000;
    private static final int POSITION_LENGTH_MAX = 100;
    /** The longest time limit of a request, and some time for its transport. */
    private static final int KEEP_SECONDS_MAX = 70;
    private static final int TIMEOUT_SECONDS = 10;
    private static final int TIMEOUT_SECONDS_MAX = 60;
    private static final int PROVIDERS_ADDED_MAX = 100_000;

    WhatIfBody {
        changes = List.copyOf(changes);
        asks = List.copyOf(asks);
        after = List.copyOf(after);
    }

    /**
     * Parses the body.
     *
     * @throws io.berth.placement.http.ApiException 400 or 413; the message names the path of the invalid value
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
        List<JsonAt> asks = body.get("asks").list(ASKS_MAX);
        if (asks.isEmpty()) {
            throw body.get("asks").refused("nothing is asked");
        }
        return new WhatIfBody(
                Duration.ofSeconds(timeout == null ? TIMEOUT_SECONDS : timeout.integer(1, TIMEOUT_SECONDS_MAX)),
                changes == null ? List.of() : changes.list(ScenarioFleet.CHANGES_MAX),
                before != null && before.flag(),
                asks.stream().map(Ask::parse).toList(),
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
