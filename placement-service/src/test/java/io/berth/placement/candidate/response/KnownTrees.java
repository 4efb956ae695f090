package io.berth.placement.candidate.response;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A minimal client of responses with references, which keeps the trees that it knows by id. */
final class KnownTrees {
    /** A tree's part of a response, in the plain form. */
    record OfTree(String root, JsonNode summaries, List<JsonNode> requests) {}

    private record Reference(long id, long version) {}

    private final Map<Long, JsonNode> byId = new HashMap<>();
    private int asked;

    /** Number of trees that were fetched. */
    int asked() {
        return asked;
    }

    /**
     * Returns the trees of the response that have requests, in order.
     *
     * @param ask returns placement's trees with these ids; called with those that are unknown or have changed
     */
    List<OfTree> expand(JsonNode answer, Function<List<Long>, JsonNode> ask) {
        answer.get("changed").forEach(this::learn);
        List<Reference> references = references(answer);
        List<Long> lacking = new ArrayList<>();
        for (Reference reference : references) {
            JsonNode known = byId.get(reference.id());
            if (known == null || known.get("version").longValue() != reference.version()) {
                lacking.add(reference.id());
            }
        }
        asked += lacking.size();
        if (!lacking.isEmpty()) {
            ask.apply(lacking).forEach(this::learn);
        }
        Map<Long, String> uuids = new HashMap<>();
        for (Reference reference : references) {
            byId.get(reference.id()).get("providers")
                    .forEach(provider -> uuids.put(provider.get("id").longValue(), provider.get("uuid").textValue()));
        }
        Map<Integer, JsonNode> stated = new HashMap<>();
        answer.get("requests").forEach(entry -> stated.put(entry.get(0).intValue(), entry.get(1)));
        List<OfTree> all = new ArrayList<>();
        for (int i = 0; i < references.size(); i++) {
            JsonNode tree = byId.get(references.get(i).id());
            List<List<String>> requests = new ArrayList<>();
            if (stated.containsKey(i)) {
                stated.get(i).forEach(request -> {
                    List<String> providers = new ArrayList<>();
                    request.forEach(id -> providers.add(uuids.get(id.longValue())));
                    requests.add(providers);
                });
            } else {
                String root = uuids.get(references.get(i).id());
                requests.add(java.util.Collections.nCopies(answer.get("parts").size(), root));
            }
            if (!requests.isEmpty()) {
                all.add(new OfTree(
                        tree.get("providers").get(0).get("uuid").textValue(), summaries(tree.get("providers")),
                        requests.stream().map(providers -> request(answer, providers)).toList()));
            }
        }
        return all;
    }

    private void learn(JsonNode tree) {
        byId.put(tree.get("id").longValue(), tree);
    }

    private static List<Reference> references(JsonNode answer) {
        List<Reference> all = new ArrayList<>();
        try {
            ByteBuffer bytes = ByteBuffer.wrap(answer.get("trees").binaryValue());
            while (bytes.hasRemaining()) {
                all.add(new Reference(bytes.getLong(), bytes.getLong()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static JsonNode summaries(JsonNode providers) {
        Map<Long, String> uuids = new HashMap<>();
        providers.forEach(provider -> uuids.put(provider.get("id").longValue(), provider.get("uuid").textValue()));
        ObjectNode all = Json.object();
        for (JsonNode provider : providers) {
            ObjectNode summary = all.putObject(provider.get("uuid").textValue());
            summary.set("resources", provider.get("resources"));
            summary.set("traits", provider.get("traits"));
            summary.put("parent_provider_uuid", uuids.get(provider.get("parent").longValue()));
            summary.set("root_provider_uuid", providers.get(0).get("uuid"));
        }
        return all;
    }

    private static JsonNode request(JsonNode answer, List<String> providers) {
        ObjectNode request = Json.object();
        ObjectNode allocations = request.putObject("allocations");
        ObjectNode mappings = request.putObject("mappings");
        for (int part = 0; part < providers.size(); part++) {
            JsonNode stated = answer.get("parts").get(part);
            String provider = providers.get(part);
            stated.get("resources").properties().forEach(amount -> {
                ObjectNode resources = allocations.withObjectProperty(provider).withObjectProperty("resources");
                int before = resources.path(amount.getKey()).intValue();
                resources.put(amount.getKey(), before + amount.getValue().intValue());
            });
            var group = mappings.withArrayProperty(stated.get("group").textValue());
            boolean isNamed = false;
            for (JsonNode named : group) {
                isNamed |= named.textValue().equals(provider);
            }
            if (!isNamed) {
                group.add(provider);
            }
        }
        return inOrder(request, answer.get("classes"));
    }

    /** Sorts amounts by the order of the classes, as in the plain response. */
    private static JsonNode inOrder(ObjectNode request, JsonNode classes) {
        for (JsonNode allocation : request.get("allocations")) {
            ObjectNode resources = (ObjectNode) allocation.get("resources");
            for (JsonNode name : classes) {
                JsonNode amount = resources.remove(name.textValue());
                if (amount != null) {
                    resources.set(name.textValue(), amount);
                }
            }
        }
        return request;
    }

    /** Groups a plain response by tree, in the order in which requests first name the trees. */
    static List<OfTree> grouped(JsonNode plain) {
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
        List<OfTree> trees = new ArrayList<>();
        requests.forEach((root, ofRoot) -> {
            var ofTree = Json.object();
            summaries.properties().forEach(summary -> {
                if (summary.getValue().get("root_provider_uuid").asText().equals(root)) {
                    ofTree.set(summary.getKey(), summary.getValue());
                }
            });
            trees.add(new OfTree(root, ofTree, ofRoot));
        });
        return trees;
    }
}
