package io.berth.scheduler.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares a reply with the expected one, by rules that leave ties and texts open. */
final class ReplyComparison {
    private final JsonNode expected;
    private final JsonNode actual;
    private final List<String> differences = new ArrayList<>();

    ReplyComparison(JsonNode expected, JsonNode actual) {
        this.expected = expected;
        this.actual = actual;
    }

    List<String> differences() {
        if (!actual.has("result")) {
            return List.of("no decision: " + actual);
        }
        same("result", expected.get("result"), actual.get("result"));
        if (expected.get("error").isObject()) {
            same("error.stage", expected.at("/error/stage"), actual.at("/error/stage"));
            same("error.name", expected.at("/error/name"), actual.at("/error/name"));
        }
        boolean strict = expected.path("strict_order").asBoolean(true);
        boolean random = expected.path("random_choice").asBoolean(false);
        JsonNode rounds = expected.get("instances");
        if (strict) {
            same("rounds", rounds.size(), actual.get("instances").size());
        }
        for (int i = 0; i < Math.min(rounds.size(), actual.get("instances").size()); i++) {
            if (i == 0 || strict) {
                compareRound("round " + i, rounds.get(i), actual.get("instances").get(i), strict, random);
            }
        }
        if (strict && !random) {
            same("selections", expected.get("selections"), actual.get("selections"));
        }
        return differences;
    }

    private void compareRound(String at, JsonNode wanted, JsonNode got, boolean strict, boolean random) {
        same(at + " preselection",
                names(wanted.at("/preselection/hosts_out")), names(got.at("/preselection/hosts_out")));
        List<JsonNode> wantedFilters = withHosts(wanted.get("filters"));
        List<JsonNode> gotFilters = withHosts(got.get("filters"));
        same(at + " filters", wantedFilters.stream().map(each -> each.get("name")).toList(),
                gotFilters.stream().map(each -> each.get("name")).toList());
        for (int i = 0; i < Math.min(wantedFilters.size(), gotFilters.size()); i++) {
            compareFilter(at + " " + wantedFilters.get(i).get("name"), wantedFilters.get(i), gotFilters.get(i));
        }
        compareWeighers(at, wanted.get("weighers"), got.get("weighers"));
        compareRanked(at, wanted.get("ranked"), got.get("ranked"));
        if (random && wanted.has("selected_any_of")) {
            if (!names(wanted.get("selected_any_of")).contains(got.get("selected"))) {
                differences.add(at + " selected " + got.get("selected"));
            }
        } else if (strict && !random) {
            same(at + " selected", wanted.get("selected"), got.get("selected"));
        }
    }

    private void compareFilter(String at, JsonNode wanted, JsonNode got) {
        Set<JsonNode> in = names(got.get("hosts_in"));
        Set<JsonNode> out = names(got.get("hosts_out"));
        same(at + " hosts_in", names(wanted.get("hosts_in")), in);
        same(at + " hosts_out", names(wanted.get("hosts_out")), out);
        in.removeAll(out);
        same(at + " rejected", in, names(got.get("rejected")));
        for (JsonNode rejected : got.get("rejected")) {
            if (rejected.path("reason").asText().isBlank()) {
                differences.add(at + " has a rejection without reason");
            }
        }
    }

    private void compareWeighers(String at, JsonNode wanted, JsonNode got) {
        Map<String, JsonNode> byName = new HashMap<>();
        got.forEach(each -> byName.put(each.get("name").textValue(), each.get("weights")));
        same(at + " weigher count", wanted.size(), got.size());
        for (JsonNode weigher : wanted) {
            String name = weigher.get("name").textValue();
            Map<JsonNode, JsonNode> gotByHost = byHost(byName.get(name));
            for (Map.Entry<JsonNode, JsonNode> host : byHost(weigher.get("weights")).entrySet()) {
                for (String number : List.of("raw", "normalized", "multiplier")) {
                    double a = host.getValue().get(number).doubleValue();
                    double b = gotByHost.containsKey(host.getKey())
                            ? gotByHost.get(host.getKey()).get(number).doubleValue()
                            : Double.NaN;
                    if (!(Math.abs(a - b) <= Math.max(1e-12, 1e-9 * Math.max(Math.abs(a), Math.abs(b))))) {
                        differences.add("%s %s %s of %s: %s, not %s".formatted(at, name, number, host.getKey(), b, a));
                    }
                }
            }
        }
    }

    private void compareRanked(String at, JsonNode wanted, JsonNode got) {
        same(at + " ranked", names(wanted), names(got));
        for (int i = 0; i < Math.min(wanted.size(), got.size()); i++) {
            double a = wanted.get(i).get("weight").doubleValue();
            double b = got.get(i).get("weight").doubleValue();
            if (Math.abs(a - b) > 1e-8) {
                differences.add("%s ranked[%d] weight %s, not %s".formatted(at, i, b, a));
            }
            double ofSameHost = byHost(wanted).getOrDefault(name(got.get(i)), got.get(i)).get("weight").doubleValue();
            if (Math.abs(ofSameHost - b) > 1e-8) {
                differences.add("%s weight of %s: %s, not %s".formatted(at, name(got.get(i)), b, ofSameHost));
            }
        }
    }

    private void same(String what, Object wanted, Object got) {
        if (!wanted.equals(got)) {
            differences.add("%s: %s, not %s".formatted(what, got, wanted));
        }
    }

    private static List<JsonNode> withHosts(JsonNode filters) {
        var list = new ArrayList<JsonNode>();
        filters.forEach(each -> {
            if (!each.path("hosts_in").isEmpty()) {
                list.add(each);
            }
        });
        return list;
    }

    private static Map<JsonNode, JsonNode> byHost(JsonNode list) {
        Map<JsonNode, JsonNode> byHost = new HashMap<>();
        if (list != null) {
            list.forEach(each -> byHost.put(name(each), each));
        }
        return byHost;
    }

    private static Set<JsonNode> names(JsonNode list) {
        Set<JsonNode> names = new HashSet<>();
        list.forEach(each -> names.add(name(each)));
        return names;
    }

    private static JsonNode name(JsonNode host) {
        return ((com.fasterxml.jackson.databind.node.ObjectNode) host.deepCopy()).retain("host", "nodename");
    }
}
