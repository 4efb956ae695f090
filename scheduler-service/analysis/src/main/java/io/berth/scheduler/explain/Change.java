package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.job.Scenario;
import java.util.Collection;

/**
 * A change that an operator or the author of the request can make.
 *
 * @param key two changes with the same key exclude each other: the later one replaces the other
 * @param ofRequest whether the request changes, and not the cloud
 * @param json the change as JSON, with the call that makes it or the party that must
 */
record Change(String key, boolean ofRequest, ObjectNode json, Effect effect) {
    /** The JSON member with the reason why a change exceeds what hardware usually supports. */
    static final String BEYOND = "beyond";

    /** Returns what its call writes as a whole: changes of the same place are made by one call. */
    String place() {
        JsonNode call = json.path("call");
        return call.path("service").asText().equals("placement") && call.has("body") ? call.path("path").asText() : key;
    }

    /** Counts the calls of a set: changes made by one call count once. */
    static int count(Collection<Change> set) {
        return (int) set.stream().map(Change::place).distinct().count();
    }

    /** Returns whether an instance that runs on the host is moved. */
    boolean moves() {
        return json.path("change").asText().equals("free");
    }

    boolean isBeyond() {
        return json.has(BEYOND);
    }

    /** The effect of the change on cloud and request. */
    interface Effect {
        /** @param request may be changed */
        void on(Scenario cloud, ObjectNode request);
    }
}
