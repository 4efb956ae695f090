package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;

/**
 * A request to be counted.
 *
 * @param path path of the request in the body, such as {@code $.requests[0]}, for error messages
 * @param name the caller's name for the request
 * @param request the request, from the member {@code request_spec}
 * @param max the number of instances at which counting ends, 1 to {@value #MAX}; {@value #MAX_BY_DEFAULT} by default
 * @param proportion how many instances of this request are placed in each turn if the requests of a body share the
 * capacity, 1 to {@value #PROPORTION_MAX}; 1 by default
 */
record CountedRequest(String path, String name, RequestSpecBody request, int max, int proportion) {
    static final int MAX = 1_000_000;
    private static final int MAX_BY_DEFAULT = 100_000;
    private static final int PROPORTION_MAX = 1_000;

    /** Reads an element of {@link CapacityBody#requests}. Throws ApiFault (400) with the path of the invalid member. */
    static CountedRequest read(JsonNode value, String path) {
        var body = new StrictObject(value, path);
        String name = body.requiredText("name");
        @Nullable Long proportion = body.longWithin("proportion", 1, PROPORTION_MAX);
        return read(body, path, name, proportion == null ? 1 : proportion.intValue());
    }

    /**
     * Reads the body of a watch, a request that {@link Watches} counts periodically. The name is not a member of this
     * body, and there is no proportion. Throws as {@link #read(JsonNode, String)}.
     */
    static CountedRequest ofWatch(JsonNode value, String name) {
        return read(new StrictObject(value, "$"), "$", name, 1);
    }

    private static CountedRequest read(StrictObject body, String path, String name, int proportion) {
        @Nullable Long max = body.longWithin("max", 1, MAX);
        // The request may lack uuids of instances, because counting replaces them with the uuid of one new instance.
        RequestSpecBody request = body.requiredObject("request_spec", spec -> RequestSpecBody.read(spec, null));
        if (request.spec().schedulerHints().asksForRebuildCheck()) {
            throw body.invalid(
                    "request_spec",
                    "must not ask for a rebuild: a rebuild keeps its host, so that there is nothing to count");
        }
        body.refuseUnreadMembers();
        return new CountedRequest(path, name, request, max == null ? MAX_BY_DEFAULT : max.intValue(), proportion);
    }
}
