package io.berth.scheduler.question;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** What would be held of one provider beside what is; negative where less would be. By resource class. */
public record FleetUse(String provider, Map<String, Long> resources) {
    /** As placement takes it. */
    ObjectNode change() {
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        ObjectNode more = change.putObject("use").put("provider", provider).putObject("resources");
        resources.forEach(more::put);
        return change;
    }
}
