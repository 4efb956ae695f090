package io.berth.deploy.load.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An instance whose allocations are created before a measurement.
 *
 * @param allocations for each provider by uuid, the allocated units by resource class
 */
public record Consumer(UUID uuid, String project, String user, Map<UUID, Map<String, Integer>> allocations) {
    /** The maximum number of consumers in one {@code POST /allocations}. */
    public static final int CONSUMERS_PER_REQUEST_MAX = 50;

    /**
     * Returns the request {@code POST /allocations} that creates the consumers. If the request succeeds, their
     * allocations are added to {@code expectedUsage}.
     *
     * @param kind the kind of the request in the measurements, see {@link Exchange}
     */
    public static Exchange post(String kind, List<Consumer> consumers, ExpectedUsage expectedUsage) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        for (Consumer consumer : consumers) {
            ObjectNode json = body.putObject(consumer.uuid().toString());
            json.put("project_id", consumer.project()).put("user_id", consumer.user());
            json.putNull("consumer_generation").put("consumer_type", "INSTANCE");
            ObjectNode allocations = json.putObject("allocations");
            consumer.allocations().forEach((provider, amounts) -> {
                ObjectNode resources = allocations.putObject(provider.toString()).putObject("resources");
                amounts.forEach(resources::put);
            });
        }
        return Exchange.post(kind, "/allocations", body.toString(), response -> {
            if (response.status() != 204) {
                return response.wrong("POST /allocations of " + consumers.size() + " consumers");
            }
            consumers.forEach(consumer -> consumer.allocations().forEach(expectedUsage::addClaimed));
            return Outcome.GOOD;
        });
    }
}
