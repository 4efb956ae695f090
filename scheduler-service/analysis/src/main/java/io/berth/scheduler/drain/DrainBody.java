package io.berth.scheduler.drain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.DisplayName;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.scenariochange.Selector;
import jakarta.annotation.Nullable;

/**
 * The body of {@code PUT /v1/drains/{name}}.
 *
 * @param select selector of the hosts, as JSON
 * @param reason the {@code disabled_reason} that the hosts' services get; {@code drain NAME} by default
 * @param parallel maximum number of moves in progress at a time from all hosts together, 1 to {@value #PARALLEL_MAX}; 1
 * by default
 * @param perHost maximum number of moves in progress at a time from one host, 1 to {@value #PER_HOST_MAX}; 1 by default
 */
record DrainBody(JsonNode select, String reason, int parallel, int perHost) {
    static final int PARALLEL_MAX = 1_000;
    static final int PER_HOST_MAX = 100;
    private static final String SELECT = "$.select";

    /**
     * Reads the body of a request. Throws ApiFault (400) with the path of the invalid member.
     *
     * @param name name of the drain
     */
    static DrainBody read(String name, JsonNode json) {
        var body = new StrictObject(json, "$");
        DrainBody read = read(name, body);
        body.refuseUnreadMembers();
        return read;
    }

    /** Reads a stored body; ignores members that a later version may have added. */
    static DrainBody stored(String name, JsonNode json) {
        return read(name, new StrictObject(json, "$"));
    }

    private static DrainBody read(String name, StrictObject body) {
        JsonNode select = body.find("select", StrictObject.OBJECT);
        if (select == null) {
            throw ApiFault.invalid(SELECT + ": is required, for example {\"hosts\": [\"compute-1\"]}");
        }
        if (Selector.read(select, SELECT).by() == Selector.By.ALL) {
            throw ApiFault.invalid(SELECT + ".all: no host would be left for the instances; name hosts, a zone, an"
                    + " aggregate or a trait");
        }
        @Nullable String reason = DisplayName.read(body, "reason");
        @Nullable Long parallel = body.longWithin("parallel", 1, PARALLEL_MAX);
        @Nullable Long perHost = body.longWithin("per_host", 1, PER_HOST_MAX);
        return new DrainBody(
                select, reason == null ? "drain " + name : reason, parallel == null ? 1 : parallel.intValue(),
                perHost == null ? 1 : perHost.intValue());
    }

    Selector selector() {
        return Selector.read(select, SELECT);
    }

    /** Returns the body with all defaults, as it is stored. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("select", select);
        return json.put("reason", reason).put("parallel", parallel).put("per_host", perHost);
    }
}
