package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * A change of the used amounts of one provider.
 *
 * @param provider uuid of the provider
 * @param resources the change by resource class; a negative change reduces the used amount, but not below 0, and is
 * ignored if the provider has no inventory of the class. If all changes are negative, the provider need not exist
 */
public record FleetUse(String provider, Map<String, Long> resources) {
    /** Returns the change as an element of {@code changes} in {@code POST /berth/v1/what_if} of placement. */
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
