package io.berth.scheduler.whynot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.question.Hypothesis;
import java.util.Collection;

/**
 * Something an operator, or who asks, can do.
 *
 * @param key two changes with the same key exclude each other: the later one takes the other's place
 * @param ofRequest whether the request changes, and not the cloud
 * @param told with the call that does it, or who sets it
 */
record Change(String key, boolean ofRequest, ObjectNode told, Effect effect) {
    /** Member of one that needs more than hardware gives, as a rule; why. */
    static final String BEYOND = "beyond";

    /** What its call writes as a whole: changes of the same are made by one call. */
    String place() {
        JsonNode call = told.path("call");
        return call.path("service").asText().equals("placement") && call.has("body") ? call.path("path").asText() : key;
    }

    /** Of a set: what is made by one call counts once. */
    static int count(Collection<Change> set) {
        return (int) set.stream().map(Change::place).distinct().count();
    }

    /** Returns whether somebody who runs there is moved. */
    boolean moves() {
        return told.path("change").asText().equals("free");
    }

    boolean isBeyond() {
        return told.has(BEYOND);
    }

    /** What it would make of cloud and request. */
    interface Effect {
        /** @param request may be changed */
        void on(Hypothesis cloud, ObjectNode request);
    }
}
