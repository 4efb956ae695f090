package io.berth.deploy.migration.reads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeMap;

/**
 * Normalizes responses of the Placement API, so that the responses of two services with the same state are equal.
 * Removes generations, which count the writes of each service. Sorts members and arrays, because their order has no
 * meaning in this API. Removes the path of the service's URL from the beginning of links.
 */
final class ResponseNormalizer {
    private static final Set<String> GENERATIONS =
            Set.of("generation", "resource_provider_generation", "consumer_generation");

    private ResponseNormalizer() {}

    /**
     * Returns the normalized copy of a response body or of a part of one.
     *
     * @param prefix the path of the service's URL, with which its links begin; may be empty
     */
    static JsonNode normalize(JsonNode node, String prefix) {
        if (node.isObject()) {
            var members = new TreeMap<String, JsonNode>();
            node.properties().forEach(member -> {
                if (!GENERATIONS.contains(member.getKey())) {
                    boolean isLink = member.getKey().equals("href") && member.getValue().asText().startsWith(prefix);
                    members.put(member.getKey(), isLink
                            ? JsonNodeFactory.instance.textNode(member.getValue().asText().substring(prefix.length()))
                            : normalize(member.getValue(), prefix));
                }
            });
            ObjectNode sorted = JsonNodeFactory.instance.objectNode();
            members.forEach(sorted::set);
            return sorted;
        }
        if (node.isArray()) {
            ArrayNode sorted = JsonNodeFactory.instance.arrayNode();
            node.valueStream()
                    .map(element -> normalize(element, prefix))
                    .sorted(Comparator.comparing(JsonNode::toString))
                    .forEachOrdered(sorted::add);
            return sorted;
        }
        return node;
    }
}
