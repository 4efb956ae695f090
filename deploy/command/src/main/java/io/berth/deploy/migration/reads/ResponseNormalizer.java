package io.berth.deploy.migration.reads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeMap;

/**
 * Normalizes responses, so that those of two services with the same state are equal. Removes generations, which count
 * the writes of each service. Sorts members and arrays, because order has no meaning in this API. Removes the service's
 * own path from the beginning of links.
 */
final class ResponseNormalizer {
    private static final Set<String> OWN =
            Set.of("generation", "resource_provider_generation", "consumer_generation");

    private ResponseNormalizer() {}

    /** @param prefix the path with which the service's links begin; empty for none */
    static JsonNode of(JsonNode answer, String prefix) {
        if (answer.isObject()) {
            var members = new TreeMap<String, JsonNode>();
            answer.properties().forEach(member -> {
                if (!OWN.contains(member.getKey())) {
                    boolean isLink = member.getKey().equals("href") && member.getValue().asText().startsWith(prefix);
                    members.put(member.getKey(), isLink
                            ? JsonNodeFactory.instance.textNode(member.getValue().asText().substring(prefix.length()))
                            : of(member.getValue(), prefix));
                }
            });
            ObjectNode sorted = JsonNodeFactory.instance.objectNode();
            members.forEach(sorted::set);
            return sorted;
        }
        if (answer.isArray()) {
            ArrayNode sorted = JsonNodeFactory.instance.arrayNode();
            answer.valueStream()
                    .map(element -> of(element, prefix))
                    .sorted(Comparator.comparing(JsonNode::toString))
                    .forEachOrdered(sorted::add);
            return sorted;
        }
        return answer;
    }
}
