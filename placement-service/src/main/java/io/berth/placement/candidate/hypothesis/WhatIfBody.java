package io.berth.placement.candidate.hypothesis;

import io.berth.placement.candidate.answer.AfterParameter;
import io.berth.placement.query.JsonAt;
import java.time.Duration;
import java.util.List;

/**
 * The body of {@code POST /berth/v1/what_if}. Queries are understood, changes are not yet: they need a view.
 *
 * @param timeout 1 to 60 seconds; 10 by default
 * @param before whether all is asked about the fleet without the changes too
 * @param asks one at least
 * @param after what the client was told of trees: those that changed since are told. Empty: none are
 * @param providersAddedMax how many resource providers changes may add
 */
record WhatIfBody(
        Duration timeout, List<JsonAt> changes, boolean before, List<Ask> asks, List<AfterParameter.Seen> after,
        int providersAddedMax) {
    static final int ASKS_MAX = 1_000;
    private static final int AFTER_LENGTH_MAX = 100;
    private static final int TIMEOUT_SECONDS = 10;
    private static final int TIMEOUT_SECONDS_MAX = 60;
    private static final int PROVIDERS_ADDED_MAX = 100_000;
    /** What one provider takes, with the trees and indexes it stands in. */
    private static final int PROVIDER_BYTES = 2_000;

    WhatIfBody {
        changes = List.copyOf(changes);
        asks = List.copyOf(asks);
        after = List.copyOf(after);
    }

    /** @throws io.berth.placement.http.ApiException 400 or 413 with the path of what is wrong */
    static WhatIfBody parse(byte[] bytes) {
        JsonAt body = JsonAt.body(bytes).object("timeout_s", "changes", "before", "asks", "after");
        JsonAt timeout = body.find("timeout_s");
        JsonAt changes = body.find("changes");
        JsonAt before = body.find("before");
        JsonAt after = body.find("after");
        List<JsonAt> asks = body.get("asks").list(ASKS_MAX);
        if (asks.isEmpty()) {
            throw body.get("asks").refused("nothing is asked");
        }
        return new WhatIfBody(
                Duration.ofSeconds(timeout == null ? TIMEOUT_SECONDS : timeout.integer(1, TIMEOUT_SECONDS_MAX)),
                changes == null ? List.of() : changes.list(SupposedFleet.CHANGES_MAX),
                before != null && before.flag(),
                asks.stream().map(Ask::parse).toList(),
                after == null
                        ? List.of()
                        : after.list(AfterParameter.COUNT_MAX).stream().map(WhatIfBody::seen).toList(),
                (int) Math.min(PROVIDERS_ADDED_MAX, Runtime.getRuntime().maxMemory() / 16 / PROVIDER_BYTES));
    }

    private static AfterParameter.Seen seen(JsonAt position) {
        AfterParameter.Seen seen = AfterParameter.Seen.find(position.text(AFTER_LENGTH_MAX));
        if (seen == null) {
            throw position.refused(AfterParameter.Seen.MUST_BE);
        }
        return seen;
    }
}
