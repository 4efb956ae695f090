package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;

/**
 * A request that is counted.
 *
 * @param path of it in the body, for complaints
 * @param max where counting ends, 1 to {@value #MAX}; {@value #MAX_BY_DEFAULT} by default
 * @param proportion how many of it are placed in its turn, where several are filled together, 1 to 1,000; 1 by default
 */
record Wanted(String path, String name, RequestSpecBody request, int max, int proportion) {
    static final int MAX = 1_000_000;
    private static final int MAX_BY_DEFAULT = 100_000;
    private static final int PROPORTION_MAX = 1_000;

    /** Throws ApiFault (400) with the path of what is wrong. */
    static Wanted read(JsonNode value, String path) {
        var body = new StrictObject(value, path);
        String name = body.requiredText("name");
        @Nullable Long proportion = body.longWithin("proportion", 1, PROPORTION_MAX);
        return read(body, path, name, proportion == null ? 1 : proportion.intValue());
    }

    /** The same of a watch, whose name is not in the body; nor does it share the cloud with others. */
    static Wanted ofWatch(JsonNode value, String name) {
        return read(new StrictObject(value, "$"), "$", name, 1);
    }

    private static Wanted read(StrictObject body, String path, String name, int proportion) {
        @Nullable Long max = body.longWithin("max", 1, MAX);
        // Counted of one instance that gets its uuid then.
        RequestSpecBody request = body.requiredObject("request_spec", given -> RequestSpecBody.read(given, null));
        if (request.spec().schedulerHints().asksForRebuildCheck()) {
            throw body.invalid("request_spec", "a rebuild stays where it is: nothing of it fits anywhere else");
        }
        body.nothingElse();
        return new Wanted(path, name, request, max == null ? MAX_BY_DEFAULT : max.intValue(), proportion);
    }
}
