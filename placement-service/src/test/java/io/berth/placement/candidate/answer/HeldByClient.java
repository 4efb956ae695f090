package io.berth.placement.candidate.answer;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.http.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a client of the delta route makes of its answers, in the plainest way. */
record HeldByClient(String token, List<Tree> trees) {
    record Tree(String root, JsonNode summaries, List<JsonNode> requests) {}

    static HeldByClient parse(byte[] body, HeldByClient held) {
        JsonNode answer = Json.parse(body);
        List<Tree> trees = new ArrayList<>();
        if (!answer.get("held").isNull() && !answer.get("held").asText().equals(held.token())) {
            throw new AssertionError("told against " + answer.get("held") + ", held is " + held.token());
        }
        for (JsonNode element : answer.get("roots")) {
            if (element.isArray()) {
                int first = element.get(0).asInt();
                trees.addAll(held.trees().subList(first, first + element.get(1).asInt()));
            } else if (element.has("held")) {
                Tree before = held.trees().get(element.get("held").asInt());
                trees.add(new Tree(before.root(), element.get("provider_summaries"), before.requests()));
            } else {
                trees.add(new Tree(
                        element.get("root_provider_uuid").asText(),
                        element.get("provider_summaries"),
                        listed(element.get("allocation_requests"))));
            }
        }
        return new HeldByClient(answer.get("token").asText(), trees);
    }

    /** The same of the plain answer. */
    static List<Tree> grouped(JsonNode plain) {
        JsonNode summaries = plain.get("provider_summaries");
        Map<String, List<JsonNode>> requests = new LinkedHashMap<>();
        for (JsonNode request : plain.get("allocation_requests")) {
            request.get("allocations").fieldNames().forEachRemaining(provider -> {
                String root = summaries.get(provider).get("root_provider_uuid").asText();
                List<JsonNode> ofRoot = requests.computeIfAbsent(root, made -> new ArrayList<>());
                if (ofRoot.isEmpty() || ofRoot.getLast() != request) {
                    ofRoot.add(request);
                }
            });
        }
        List<Tree> trees = new ArrayList<>();
        requests.forEach((root, ofRoot) -> {
            var ofTree = Json.object();
            summaries.properties().forEach(summary -> {
                if (summary.getValue().get("root_provider_uuid").asText().equals(root)) {
                    ofTree.set(summary.getKey(), summary.getValue());
                }
            });
            trees.add(new Tree(root, ofTree, ofRoot));
        });
        return trees;
    }

    private static List<JsonNode> listed(JsonNode array) {
        List<JsonNode> all = new ArrayList<>();
        array.forEach(all::add);
        return all;
    }
}
