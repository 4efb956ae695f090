package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * A change of the used amounts of one provider.
 *
 * @param provider uuid
 * @param resources the change by resource class; a negative one reduces the used amount, to 0 at the least
 */
public record FleetUse(String provider, Map<String, Long> resources) {
    /** Returns the change in placement's format. */
    public ObjectNode change() {
        ObjectNode change = JsonNodeFactory.instance.objectNode();
        ObjectNode use = change.putObject("use").put("provider", provider);
        if (resources.values().stream().anyMatch(amount -> amount < 0)) {
            use.put("if_there", true);
        }
        ObjectNode amounts = use.putObject("resources");
        resources.forEach(amounts::put);
        return change;
    }
}
