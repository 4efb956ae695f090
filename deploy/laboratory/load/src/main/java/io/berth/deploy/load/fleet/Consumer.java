package io.berth.deploy.load.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An instance that exists before the measurement.
 *
 * @param holds amounts by class, by provider
 */
public record Consumer(UUID uuid, String project, String user, Map<UUID, Map<String, Integer>> holds) {
    /** The number of consumers in one POST. */
    public static final int TOGETHER_MAX = 50;

    /** Returns the request {@code POST /allocations} for new consumers. */
    public static Exchange post(String kind, List<Consumer> consumers, Books books) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        for (Consumer consumer : consumers) {
            ObjectNode json = body.putObject(consumer.uuid().toString());
            json.put("project_id", consumer.project()).put("user_id", consumer.user());
            json.putNull("consumer_generation").put("consumer_type", "INSTANCE");
            ObjectNode allocations = json.putObject("allocations");
            consumer.holds().forEach((provider, amounts) -> {
                ObjectNode resources = allocations.putObject(provider.toString()).putObject("resources");
                amounts.forEach(resources::put);
            });
        }
        return Exchange.post(kind, "/allocations", body.toString(), answer -> {
            if (answer.status() != 204) {
                return answer.wrong("POST /allocations of " + consumers.size() + " consumers");
            }
            consumers.forEach(consumer -> consumer.holds().forEach(books::take));
            return Outcome.GOOD;
        });
    }
}
