package io.berth.scheduler.question;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * What would be held of one provider beside what is; negative where less would be, as far as it is still there. By
 * resource class.
 */
public record FleetUse(String provider, Map<String, Long> resources) {
    /** As placement takes it. */
    public ObjectNode change() {
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        ObjectNode use = change.putObject("use").put("provider", provider);
        if (resources.values().stream().anyMatch(amount -> amount < 0)) {
            use.put("if_there", true);
        }
        ObjectNode more = use.putObject("resources");
        resources.forEach(more::put);
        return change;
    }
}
