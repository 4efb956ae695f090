package io.berth.deploy.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/** Requests to placement by which nova's conductor moves allocations between an instance and a migration. */
final class Plain {
    private Plain() {}

    static Command.Request read(UUID consumer) {
        return new Command.Request(false, "GET", "/allocations/" + consumer, null);
    }

    /**
     * Reads the allocations of one consumer, and writes them for another consumer, which must hold nothing, with the
     * generation that was read.
     *
     * @param giverType consumer type of the giver; placement would return "unknown" for one that Berth claimed for
     * @param type consumer type of the receiver
     */
    static Reply transfer(
            SimulatedCloud cloud, int scheduler, UUID giver, String giverType, UUID receiver, String type) {
        Reply reply = cloud.send(read(giver), scheduler);
        if (!(reply instanceof Reply.Done read)) {
            return reply;
        }
        JsonNode held = read.json();
        if (held.get("allocations").isEmpty()) {
            return new Reply.Refused("nothing to hand over");
        }
        var body = Reply.JSON.createObjectNode();
        body.set(receiver.toString(), consumer(held.get("allocations"), null, type));
        body.set(giver.toString(), consumer(
                Reply.JSON.createObjectNode(), held.get("consumer_generation"), giverType));
        return cloud.send(new Command.Request(false, "POST", "/allocations", body.toString()), scheduler);
    }

    private static JsonNode consumer(JsonNode allocations, JsonNode generation, String type) {
        return Reply.JSON.createObjectNode()
                .put("project_id", "p").put("user_id", "u").put("consumer_type", type)
                .<ObjectNode>set("consumer_generation", generation)
                .set("allocations", withoutGenerations(allocations));
    }

    /** Returns allocations in the form of a write, with resources only. */
    private static JsonNode withoutGenerations(JsonNode allocations) {
        var all = Reply.JSON.createObjectNode();
        allocations.properties().forEach(provider -> all.putObject(provider.getKey())
                .set("resources", provider.getValue().get("resources")));
        return all;
    }
}
