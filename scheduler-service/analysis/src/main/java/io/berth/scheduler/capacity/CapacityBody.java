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
 * The body of {@code POST /v1/capacity}, without its member {@code timeout_s}.
 *
 * @param requests the requests to be counted, 1 to {@value #REQUESTS_MAX}
 * @param by the dimensions by which counts are split; empty: none
 * @param joint whether the requests share the capacity, so that their instances are placed in turns; otherwise each
 * request is counted as if there were no other
 * @param hostsMax maximum number of hosts that are listed for one request if counts are split by host, 1 to {@value
 * #HOSTS_MAX}; 1,000 by default
 * @param marker name of a host: only hosts whose names sort after this name are listed; null: all hosts
 */
record CapacityBody(
        List<CountedRequest> requests, Set<By> by, boolean joint, int hostsMax, @Nullable String marker) {
    /** The maximum number of requests in a body; a body with more gets the response 413. */
    private static final int REQUESTS_MAX = 10_000;
    private static final int HOSTS_MAX = 100_000;
    private static final int HOSTS_BY_DEFAULT = 1_000;

    /** A dimension by which counts are split. */
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

    /**
     * Reads the body; the caller reads {@code timeout_s} from the same object. Throws ApiFault: 400 with the path of
     * the invalid member, 413 for more than {@value #REQUESTS_MAX} requests.
     */
    static CapacityBody read(StrictObject body, String path) {
        JsonNode requests = body.anyValue("requests");
        if (requests == null) {
            throw body.invalid("requests", "is required and must not be empty");
        }
        List<CountedRequest> read = requests(requests, path + ".requests");
        Set<By> by = EnumSet.noneOf(By.class);
        by.addAll(body.list("by", By::read));
        boolean joint = body.flag("joint", false);
        @Nullable Long hostsMax = body.longWithin("limit", 1, HOSTS_MAX);
        @Nullable String marker = body.text("marker");
        return new CapacityBody(
                read, by, joint, hostsMax == null ? HOSTS_BY_DEFAULT : hostsMax.intValue(), marker);
    }

    /** Reads a list of requests; all other members of the body have their defaults. Throws as {@link #read}. */
    static CapacityBody of(JsonNode requests, String path) {
        return new CapacityBody(requests(requests, path), EnumSet.noneOf(By.class), false, HOSTS_BY_DEFAULT, null);
    }

    private static List<CountedRequest> requests(JsonNode array, String path) {
        if (array.isArray() && array.size() > REQUESTS_MAX) {
            throw new ApiFault(
                    ErrorCode.BODY_TOO_LARGE,
                    path + ": must have at most " + REQUESTS_MAX + " requests: split the body");
        }
        List<CountedRequest> requests = StrictObject.listOf(CountedRequest::read).read(array, path);
        if (requests.isEmpty()) {
            throw ApiFault.invalid(path + ": is required and must not be empty");
        }
        return requests;
    }
}
