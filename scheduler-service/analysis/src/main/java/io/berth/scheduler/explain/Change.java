package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.job.Scenario;
import java.util.Collection;

/**
 * A change that an operator or the author of the request can make.
 *
 * @param key identifies what changes; if a set has two changes with one key, the later change replaces the earlier one
 * @param changesRequest whether the request changes; otherwise the cloud changes
 * @param json the change as in the response: what changes, and the call that makes the change or the party that must
 * make it
 * @param effect applies the change to a scenario
 */
record Change(String key, boolean changesRequest, ObjectNode json, Effect effect) {
    /** The JSON member with the reason why a change exceeds what hardware usually supports. */
    static final String BEYOND = "beyond";

    /**
     * Returns what identifies the resource that the change's call writes. One call makes all changes for which this
     * method returns the same text.
     */
    String writtenResource() {
        JsonNode call = json.path("call");
        return call.path("service").asText().equals("placement") && call.has("body") ? call.path("path").asText() : key;
    }

    /** Returns the number of calls that make a set of changes. Changes that one call makes count once. */
    static int countCalls(Collection<Change> set) {
        return (int) set.stream().map(Change::writtenResource).distinct().count();
    }

    /** Returns whether the change moves an instance away from the host. */
    boolean movesInstance() {
        return json.path("change").asText().equals("free");
    }

    /** Returns whether the change exceeds what hardware usually supports. */
    boolean exceedsHardware() {
        return json.has(BEYOND);
    }

    /**
     * Returns the JSON of a change, without a call.
     *
     * @param kind the value of the member {@code change}, such as {@code add_trait}
     */
    static ObjectNode createJson(String kind) {
        return JsonNodeFactory.instance.objectNode().put("change", kind);
    }

    /**
     * Adds the call that makes the change to its JSON, and returns the JSON of the call.
     *
     * @param service {@code placement} or {@code scheduler}
     */
    static ObjectNode addCall(ObjectNode json, String service, String method, String path) {
        return json.putObject("call").put("service", service).put("method", method).put("path", path);
    }

    /** The effect of the change on cloud and request. */
    interface Effect {
        /**
         * Applies the change.
         *
         * @param cloud receives changes of the cloud
         * @param request the request spec, a copy that is changed in place
         */
        void applyTo(Scenario cloud, ObjectNode request);
    }
}
