package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.capacity.CapacityAnalysis;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.scenariochange.ChangesBody;
import io.berth.scheduler.scenariochange.ScenarioChanges;
import io.berth.scheduler.scenariochange.Selector;
import jakarta.annotation.Nullable;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The body of {@code POST /v1/what_if}. Requests at least one {@linkplain Part part}; a part that is null is not
 * requested.
 *
 * @param changes the changes of the cloud and of the options
 * @param capacity requests for which it is counted how many instances fit
 * @param placements requests to place; empty: this part is not requested
 * @param drain hosts to empty
 * @param replay recorded requests to place again
 * @param deadline the time limit for the whole analysis, including the wait for the analysis worker
 */
record WhatIfBody(
        ScenarioChanges changes,
        @Nullable CapacityAnalysis capacity,
        List<RequestSpecBody> placements,
        @Nullable Selector drain,
        @Nullable Replayed replay,
        Deadline deadline) {
    /** The maximum number of recorded requests that are placed again. */
    static final int REPLAYED_MAX = 1_000;
    /**
     * The maximum number of instances of all placements together, and of all replayed requests together. If the
     * placements have more, the response is 413; recorded requests beyond it are left out.
     */
    static final int INSTANCES_MAX = 10_000;

    /**
     * Selects recorded requests that are placed again.
     *
     * @param since selects the earliest records from this time on; null: selects the latest records
     * @param limit maximum number of records, 1 to {@value #REPLAYED_MAX}, which is also the default
     */
    record Replayed(@Nullable Instant since, int limit) {}

    /**
     * Reads and validates the body. Throws ApiFault: 400 with the path of the invalid member, 413 if the body has more
     * of something than is allowed, such as changes or instances.
     */
    static WhatIfBody read(JsonNode json, ChangesBody changesBody) {
        var body = new StrictObject(json, "$");
        ScenarioChanges changes = changesBody.read(body);
        WhatIfBody read = body.requiredObject("ask", ask -> {
            AtomicInteger instances = new AtomicInteger();
            return new WhatIfBody(
                    changes,
                    ask.find("capacity", CapacityAnalysis::read),
                    ask.objects("placements", spec -> placement(spec, instances)),
                    ask.find("drain", Selector::read),
                    ask.object("replay", WhatIfBody::replay),
                    Deadline.of(body));
        });
        body.refuseUnreadMembers();
        if (read.capacity() == null && read.placements().isEmpty() && read.drain() == null && read.replay() == null) {
            throw ApiFault.invalid("$.ask: must have at least one of capacity, placements, drain, replay");
        }
        return read;
    }

    private static RequestSpecBody placement(StrictObject spec, AtomicInteger instances) {
        RequestSpecBody read = RequestSpecBody.read(spec, UUID::randomUUID);
        if (instances.addAndGet(read.spec().instanceCount()) > INSTANCES_MAX) {
            throw new ApiFault(ErrorCode.BODY_TOO_LARGE, "$.ask.placements: more than " + INSTANCES_MAX
                    + " instances: send fewer at a time");
        }
        return read;
    }

    private static Replayed replay(StrictObject replay) {
        @Nullable Long limit = replay.longWithin("limit", 1, REPLAYED_MAX);
        @Nullable String since = replay.text("since");
        try {
            return new Replayed(
                    since == null ? null : OffsetDateTime.parse(since).toInstant(),
                    limit == null ? REPLAYED_MAX : limit.intValue());
        } catch (DateTimeException invalid) {
            throw replay.invalid("since", "must be a time such as 2026-01-31T12:00:00Z");
        }
    }
}
