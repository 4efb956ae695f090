package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;

/**
 * A request to be counted.
 *
 * @param path path of the request in the body, for error messages
 * @param name the caller's name for the request
 * @param max the count at which counting ends, 1 to {@value #MAX}; {@value #MAX_BY_DEFAULT} by default
 * @param proportion if requests share the capacity, how many instances of this one are placed in each turn, 1 to 1,000;
 * 1 by default
 */
record CountedRequest(String path, String name, RequestSpecBody request, int max, int proportion) {
    static final int MAX = 1_000_000;
    private static final int MAX_BY_DEFAULT = 100_000;
    private static final int PROPORTION_MAX = 1_000;

    /** Throws ApiFault (400) with the path of the invalid member. */
    static CountedRequest read(JsonNode value, String path) {
        var body = new StrictObject(value, path);
        String name = body.requiredText("name");
        @Nullable Long proportion = body.longWithin("proportion", 1, PROPORTION_MAX);
        return read(body, path, name, proportion == null ? 1 : proportion.intValue());
    }

    /** Reads the request of a watch, whose name is not in the body and which has no proportion. */
    static CountedRequest ofWatch(JsonNode value, String name) {
        return read(new StrictObject(value, "$"), "$", name, 1);
    }

    private static CountedRequest read(StrictObject body, String path, String name, int proportion) {
        @Nullable Long max = body.longWithin("max", 1, MAX);
        // Needs no uuids of instances, because counting replaces them with that of one new instance.
        RequestSpecBody request = body.requiredObject("request_spec", given -> RequestSpecBody.read(given, null));
        if (request.spec().schedulerHints().asksForRebuildCheck()) {
            throw body.invalid("request_spec", "a rebuild keeps its host: it cannot be counted on others");
        }
        body.nothingElse();
        return new CountedRequest(path, name, request, max == null ? MAX_BY_DEFAULT : max.intValue(), proportion);
    }
}
