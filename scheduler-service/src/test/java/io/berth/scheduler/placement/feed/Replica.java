package io.berth.scheduler.placement.feed;

import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.RootCandidates;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Replica of Placement for tests, as its routes show it. Every tree can satisfy a request for one vCPU: from its root,
 * or from each child.
 */
final class Replica {
    /**
     * A tree of the database that all replicas read.
     *
     * @param children ids of providers that have the vCPUs in the root's place; empty for a root that has its own
     */
    record Tree(long id, String uuid, List<Long> children, long used) {
        long version() {
            return 0x9E3779B97F4A7C15L * hashCode();
        }

        String json() {
            List<String> providers = new ArrayList<>();
            providers.add(provider(id, uuid, "null", children.isEmpty()));
            children.forEach(child -> providers.add(provider(child, uuidOf(child), Long.toString(id), true)));
            return "{\"id\":%d,\"version\":%d,\"later\":[],\"providers\":[%s]}"
                    .formatted(id, version(), String.join(",", providers));
        }

        private String provider(long provider, String name, String parent, boolean has) {
            return "{\"id\":%d,\"uuid\":\"%s\",\"parent\":%s,\"resources\":{%s},\"traits\":[\"HW_CPU_X86_VMX\"]}"
                    .formatted(
                            provider, name, parent, has ? "\"VCPU\":{\"capacity\":8,\"used\":" + used + "}" : "");
        }

        /** Returns the tree as in a response without references. */
        RootCandidates plain() {
            List<ProviderSummary> summaries = new ArrayList<>();
            List<AllocationRequest> requests = new ArrayList<>();
            Map<String, ProviderSummary.Usage> vcpus = Map.of("VCPU", new ProviderSummary.Usage(8, used));
            summaries.add(new ProviderSummary(uuid, uuid, children.isEmpty() ? vcpus : Map.of(), false));
            for (long child : children) {
                summaries.add(new ProviderSummary(uuidOf(child), uuid, vcpus, false));
                requests.add(request(uuidOf(child)));
            }
            return new RootCandidates(uuid, summaries, children.isEmpty() ? List.of(request(uuid)) : requests);
        }

        private static AllocationRequest request(String provider) {
            return new AllocationRequest(Map.of(provider, Map.of("VCPU", 1L)), Map.of("", List.of(provider)));
        }

        static String uuidOf(long id) {
            return "p" + id;
        }
    }

    private final Map<Long, Tree> database;
    private String name;
    private long position;
    /** Position at which this replica saw a tree change, by id of the tree. */
    private final Map<Long, Long> changedAt = new TreeMap<>();
    private Map<Long, Tree> seen;
    private int asked;

    Replica(String name, Map<Long, Tree> database) {
        this.database = database;
        startAgain(name);
    }

    /** Restarts under another name, with a new count of positions. */
    void startAgain(String as) {
        name = as;
        position = 1;
        changedAt.clear();
        seen = new LinkedHashMap<>(database);
    }

    private void catchUp() {
        database.forEach((id, tree) -> {
            if (!tree.equals(seen.get(id))) {
                changedAt.put(id, ++position);
            }
        });
        seen.keySet().stream().filter(id -> !database.containsKey(id)).forEach(id -> {
            changedAt.remove(id);
            position++;
        });
        seen = new LinkedHashMap<>(database);
    }

    /** Returns the body of a response with references to all trees. */
    String references(String after) {
        catchUp();
        ByteBuffer trees = ByteBuffer.allocate(16 * seen.size());
        List<String> requests = new ArrayList<>();
        int at = 0;
        for (Tree tree : seen.values()) {
            trees.putLong(tree.id()).putLong(tree.version());
            if (!tree.children().isEmpty()) {
                requests.add("[%d,[%s]]".formatted(at, tree.children().stream()
                        .map(child -> "[" + child + "]").collect(Collectors.joining(","))));
            }
            at++;
        }
        long known = Long.MAX_VALUE;
        for (String one : after.split("&after=")) {
            if (one.startsWith(name + ".")) {
                known = Long.parseLong(one.substring(name.length() + 1));
            }
        }
        List<String> changed = new ArrayList<>();
        for (Map.Entry<Long, Long> change : changedAt.entrySet()) {
            if (change.getValue() > known && changed.size() < 3) {
                changed.add(seen.get(change.getKey()).json());
            }
        }
        return """
                {"replica":"%s","position":%d,"parts":[{"group":"","resources":{"VCPU":1}}],"classes":["VCPU"],
                "trees":"%s","requests":%s,"changed":%s}""".formatted(
                name, position, Base64.getEncoder().encodeToString(trees.array()), requests, changed);
    }

    /** Returns the body of the response to a request for trees. */
    String trees(String body) {
        asked++;
        catchUp();
        List<String> found = new ArrayList<>();
        for (String id : body.substring("{\"ids\":[".length(), body.length() - 2).split(",")) {
            Tree tree = seen.get(Long.parseLong(id));
            if (tree != null) {
                found.addFirst(tree.json());
            }
        }
        return "{\"replica\":\"%s\",\"position\":%d,\"trees\":%s}".formatted(name, position, found);
    }

    /** Returns how often trees were requested. */
    int asked() {
        return asked;
    }

    /** Returns the candidates as in a response without references. */
    AllocationCandidates plain() {
        return new AllocationCandidates(database.values().stream().map(Tree::plain).toList());
    }
}
