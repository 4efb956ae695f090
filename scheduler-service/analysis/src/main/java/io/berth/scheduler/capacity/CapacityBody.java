package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The body of {@code POST /v1/capacity}, without its deadline.
 *
 * @param by the dimensions by which counts are split; empty: none
 * @param joint whether the requests share the capacity: their instances are placed in turns
 * @param hostsMax maximum hosts that are listed for one request, 1 to {@value #HOSTS_MAX}; 1,000 by default
 * @param marker lists only hosts whose names come after this one; null: from the first
 */
record CapacityBody(
        List<CountedRequest> requests, Set<By> by, boolean joint, int hostsMax, @Nullable String marker) {
    /** The maximum requests; the response beyond is 413. */
    private static final int REQUESTS_MAX = 10_000;
    private static final int HOSTS_MAX = 100_000;
    private static final int HOSTS_BY_DEFAULT = 1_000;

    /** The dimensions by which counts are split. */
    enum By implements WireNamed {
        ZONE, AGGREGATE, CELL, HOST;

        static By read(JsonNode value, String path) {
            By by = WireNamed.find(values(), StrictObject.TEXT.read(value, path));
            if (by == null) {
                throw ApiFault.invalid(path + ": must be one of zone, aggregate, cell, host");
            }
            return by;
        }
    }

    /** Throws ApiFault: 400 with the path of the invalid member, 413 for more than {@value #REQUESTS_MAX} requests. */
    static CapacityBody read(StrictObject body, String path) {
        JsonNode stated = body.any("requests");
        if (stated == null) {
            throw body.invalid("requests", "is required and must not be empty");
        }
        List<CountedRequest> requests = requests(stated, path + ".requests");
        Set<By> by = EnumSet.noneOf(By.class);
        by.addAll(body.list("by", By::read));
        boolean joint = body.flag("joint", false);
        @Nullable Long hostsMax = body.longWithin("limit", 1, HOSTS_MAX);
        @Nullable String marker = body.text("marker");
        return new CapacityBody(
                requests, by, joint, hostsMax == null ? HOSTS_BY_DEFAULT : hostsMax.intValue(), marker);
    }

    /** Reads a list of requests, with defaults for all other members. Throws as {@link #read}. */
    static CapacityBody of(JsonNode requests, String path) {
        return new CapacityBody(requests(requests, path), EnumSet.noneOf(By.class), false, HOSTS_BY_DEFAULT, null);
    }

    private static List<CountedRequest> requests(JsonNode stated, String path) {
        if (stated.isArray() && stated.size() > REQUESTS_MAX) {
            throw new ApiFault(ErrorCode.BODY_TOO_LARGE, path + ": more than " + REQUESTS_MAX);
        }
        List<CountedRequest> requests = StrictObject.listOf(CountedRequest::read).read(stated, path);
        if (requests.isEmpty()) {
            throw ApiFault.invalid(path + ": is required and must not be empty");
        }
        return requests;
    }
}
