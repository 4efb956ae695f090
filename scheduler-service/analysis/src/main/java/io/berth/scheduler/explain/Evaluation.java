package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.HostObstacle;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.ProviderSummary;
import io.berth.scheduler.placement.candidate.RemainingCapacity;
import io.berth.scheduler.request.query.Amounts;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.spi.Reason;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The evaluation of one request on one snapshot: the obstacles of each target host, in placement and in the filters,
 * and the decision. Usually takes one call of placement.
 *
 * @param hosts in the order of the targets; only those for which there was time
 * @param decision the decision; null if it was not requested, the request is refused before a query to placement, or
 * the time was up
 * @param gaps descriptions of what was not evaluated
 */
record Evaluation(List<Host> hosts, @Nullable Decision decision, List<String> gaps) {
    /** The code of the obstacle that only the limit on candidates cuts a host off. */
    static final String CUT = "cut_by_limit";
    /** Codes of obstacles about one extra spec or image property, whose name is the third of the reason's values. */
    private static final Set<String> NAMED =
            Set.of("extra_spec", "extra_spec_missing", "capability", "capability_missing", "image_property");
    /** One candidate without allocations, for hosts on which placement offers none: filters then evaluate them too. */
    static final List<AllocationCandidate> AS_IF = List.of(AllocationCandidate.NONE);

    /**
     * A host with its obstacles.
     *
     * @param tree the providers of the host's tree in placement's JSON, with inventories, traits and aggregates, the
     * root first; then sharing providers that cause obstacles. Empty if placement does not have the host's provider
     * @param obstacles empty: the host is admissible
     */
    record Host(Target target, List<JsonNode> tree, List<Obstacle> obstacles) {
        /**
         * Returns whether the request could be placed on the host. A host that only the limit on candidates cuts off
         * counts too.
         */
        boolean isAdmissible() {
            return obstacles.stream().allMatch(each -> each.code().equals(CUT));
        }

        /** Returns whether a provider is in the host's tree; a sharing provider of another tree is not. */
        boolean isOfTree(String uuid) {
            JsonNode at = provider(uuid);
            while (at != null && at.path("parent").isTextual()) {
                at = provider(at.path("parent").textValue());
            }
            return at != null && at.equals(tree.getFirst());
        }

        /** Returns the provider with this uuid; null if neither the tree nor an obstacle has it. */
        @Nullable JsonNode provider(String uuid) {
            return tree.stream().filter(each -> each.path("uuid").asText().equals(uuid)).findFirst().orElse(null);
        }
    }

    /** The extent of an evaluation. */
    enum Detail {
        /** Only obstacles that no limit causes: skips the check whether the limit on candidates cuts a host off. */
        ADMISSIBLE,
        OBSTACLES,
        /** Includes the decision. */
        DECISION
    }

    /**
     * Evaluates a request on some hosts. Blocks; for the analysis worker only. Throws ApiFault (400) for an invalid
     * request.
     */
    static Evaluation of(Snapshot snapshot, RequestSpecBody request, List<Target> targets, Detail detail) {
        return switch (snapshot.plan(request.spec(), request.toDerive())) {
            case HostSearch.Refused(_, String why, _) -> new Evaluation(
                    targets.stream().map(target -> new Host(target, List.of(), List.of(refused(why)))).toList(),
                    null, List.of());
            case HostSearch.Queries planned -> of(snapshot, planned, targets, detail);
        };
    }

    private static Evaluation of(Snapshot snapshot, HostSearch.Queries planned, List<Target> targets, Detail detail) {
        try {
            return new PlacementResponses(snapshot, planned, targets).evaluate(detail);
        } catch (ApiFault fault) {
            if (fault.error().code() != ErrorCode.NOT_FOUND) {
                throw fault;
            }
        }
        // Placement refuses a query about a provider that it does not have, so queries again without such targets.
        List<Target> known = targets.stream().filter(target -> snapshot.hasProvider(target.provider())).toList();
        Evaluation ofKnown = new PlacementResponses(snapshot, planned, known).evaluate(detail);
        Iterator<Host> looked = ofKnown.hosts().iterator();
        List<Host> hosts = new ArrayList<>();
        for (Target target : targets) {
            if (!known.contains(target)) {
                hosts.add(unknown(target));
            } else if (looked.hasNext()) {
                hosts.add(looked.next());
            }
        }
        return new Evaluation(hosts, ofKnown.decision(), ofKnown.gaps());
    }

    private static Host unknown(Target target) {
        return new Host(target, List.of(), List.of(obstacle(
                "placement", "provider", "no_provider", "placement has no provider " + target.provider())));
    }

    private static Obstacle notEvaluated() {
        return obstacle(
                "placement", "provider", HostObstacle.NOT_EVALUATED, "placement did not evaluate the host completely");
    }

    private static Obstacle refused(String detail) {
        return obstacle("prefilter", "prefilters", "refused", detail);
    }

    private static Obstacle obstacle(String stage, String by, String code, String text) {
        return Obstacle.of(JsonNodeFactory.instance.objectNode()
                .put("stage", stage).put("by", by).put("code", code).put("text", text));
    }

    private static Obstacle obstacle(HostObstacle met) {
        Reason reason = met.reason();
        ObjectNode json = JsonNodeFactory.instance.objectNode()
                .put("stage", met.stage().wireName())
                .put("by", met.by())
                .put("code", reason.code());
        put(json, "wanted", reason.wanted());
        put(json, "had", reason.had());
        if (NAMED.contains(reason.code())) {
            json.put("name", reason.values().get(2).toString());
        }
        if (reason.unit() != null) {
            json.put("unit", reason.unit());
        }
        return new Obstacle(json.put("text", reason.render()), met.remedies());
    }

    private static void put(ObjectNode json, String member, @Nullable Object value) {
        switch (value) {
            case null -> {}
            case Double number when number == Math.rint(number) -> json.put(member, number.longValue());
            case Double number -> json.put(member, number);
            case Number number -> json.put(member, number.longValue());
            case Collection<?> items -> {
                ArrayNode list = json.putArray(member);
                items.stream().limit(Reason.ITEMS_SHOWN).forEach(item -> list.add(Reason.shown(item)));
            }
            default -> json.putArray(member).add(Reason.shown(value));
        }
    }

    /**
     * One call of placement, with queries in this order: an explanation per query of the request; the trees of all
     * targets; for each target its candidates per query of the request; the candidates of the decision per query of the
     * request.
     */
    record PlacementResponses(Snapshot snapshot, HostSearch.Queries planned, List<Target> targets) {
        Evaluation evaluate(Detail detail) {
            List<String> providers = targets.stream().map(target -> target.provider().toString()).toList();
            List<String> queries = planned.all();
            List<FleetQuery> asks = new ArrayList<>();
            queries.forEach(
                    query -> asks.add(new FleetQuery.Explanation(query, providers, detail != Detail.ADMISSIBLE)));
            asks.add(new FleetQuery.Trees(providers));
            List<String> uncut = planned.withoutLimit().all();
            for (String provider : providers) {
                uncut.forEach(query -> asks.add(new FleetQuery.Candidates(within(query, provider))));
            }
            if (detail == Detail.DECISION) {
                queries.forEach(query -> asks.add(new FleetQuery.Candidates(query)));
            }
            return answered(snapshot.ask(asks), detail);
        }

        Evaluation answered(FleetResults answers, Detail detail) {
            List<String> queries = planned.all();
            List<String> gaps = new ArrayList<>(answers.gaps());
            JsonNode json = answers.json(queries.size());
            if (json == null) {
                // Placement runs queries in their order, so the time was up for the later ones too.
                gaps.add("time: %d hosts were not looked at".formatted(targets.size()));
                return new Evaluation(List.of(), null, gaps);
            }
            Map<String, List<Obstacle>> blocked = blocked(answers, queries.size());
            Map<String, List<JsonNode>> trees = trees(json);
            List<Host> hosts = new ArrayList<>();
            int next = queries.size() + 1;
            for (Target target : targets) {
                AllocationCandidates offered = joined(answers, next, queries.size());
                next += queries.size();
                hosts.add(host(target, offered, trees.getOrDefault(target.provider().toString(), List.of()), blocked));
            }
            Decision decision =
                    detail == Detail.DECISION ? decide(joined(answers, next, queries.size()), gaps) : null;
            return new Evaluation(hosts, decision, gaps);
        }

        /** Restricts a query to the tree of one provider. */
        private static String within(String query, String provider) {
            return query.startsWith("in_tree=") || query.contains("&in_tree=")
                    ? query
                    : query + "&in_tree=" + provider;
        }

        /** Joins the candidates of {@code count} queries from the index {@code first} on. */
        private static AllocationCandidates joined(FleetResults answers, int first, int count) {
            AllocationCandidates some = answers.candidates(first);
            AllocationCandidates more = count > 1 ? answers.candidates(first + 1) : null;
            return some == null
                    ? new AllocationCandidates(List.of(), Map.of())
                    : more == null ? some : some.followedBy(more);
        }

        /**
         * Returns placement's obstacles by the uuid of the tree's root. Of two queries, uses the one with fewer
         * obstacles. An incomplete evaluation counts as one obstacle.
         */
        private Map<String, List<Obstacle>> blocked(FleetResults answers, int queries) {
            Map<String, List<Obstacle>> blocked = new HashMap<>();
            for (int i = 0; i < queries; i++) {
                JsonNode explained = answers.json(i);
                if (explained == null) {
                    continue;
                }
                for (JsonNode each : explained.path("providers")) {
                    if (FleetResults.isMeantForOthers(each)) {
                        continue;
                    }
                    List<Obstacle> obstacles = new ArrayList<>();
                    each.path("obstacles").forEach(obstacle -> obstacles.add(Obstacle.of((ObjectNode) obstacle)));
                    if (!each.path("complete").booleanValue()) {
                        obstacles.add(notEvaluated());
                    }
                    blocked.merge(each.path("root").asText(), obstacles,
                            (some, others) -> some.size() <= others.size() ? some : others);
                }
            }
            return blocked;
        }

        /** Returns for the uuid of each provider all providers of its tree. */
        private static Map<String, List<JsonNode>> trees(@Nullable JsonNode json) {
            Map<String, List<JsonNode>> trees = new HashMap<>();
            if (json != null) {
                for (JsonNode tree : json.path("trees")) {
                    List<JsonNode> providers = new ArrayList<>();
                    tree.path("providers").forEach(providers::add);
                    providers.forEach(provider -> trees.put(provider.path("uuid").asText(), providers));
                }
            }
            return trees;
        }

        private Host host(
                Target target, AllocationCandidates offered,
                List<JsonNode> tree, Map<String, List<Obstacle>> blocked) {
            if (tree.isEmpty()) {
                return unknown(target);
            }
            List<Obstacle> obstacles = tree.stream()
                    .map(provider -> blocked.get(provider.path("uuid").asText()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .map(ArrayList::new)
                    .orElseGet(() -> new ArrayList<>(List.of(notEvaluated())));
            HostState state = state(target, offered, false);
            boolean isOffered = state != null;
            if (state != null) {
                obstacles.removeIf(obstacle -> obstacle.code().equals(HostObstacle.NOT_EVALUATED));
            }
            if (state == null) {
                state = state(target, new AllocationCandidates(List.of(), summaries(tree)), true);
            }
            if (state == null) {
                obstacles.add(obstacle("prefilter", "cell", "cell_not_in_reach",
                        "its cell is disabled, or the request demands another cell"));
            } else {
                HostObstacle.of(state, planned.spec(), snapshot.inputs(SchedulingInputs.Detail.COUNTS))
                        .forEach(met -> obstacles.add(obstacle(met)));
                if (!isOffered && givesNothing(target, tree)) {
                    obstacles.add(obstacle(HostObstacle.ofRoot(state)));
                }
            }
            return new Host(target, withSharing(tree, obstacles), obstacles);
        }

        /**
         * Returns whether the tree has requested resource classes, but its root has none of them. The host can then not
         * be claimed, whatever else changes.
         */
        private boolean givesNothing(Target target, List<JsonNode> tree) {
            Set<String> asked = new TreeSet<>();
            planned.all().forEach(query -> asked.addAll(Amounts.of(query).keySet()));
            List<String> have = tree.stream()
                    .filter(provider -> asked.stream().anyMatch(name -> provider.path("inventories").has(name)))
                    .map(provider -> provider.path("uuid").asText())
                    .toList();
            return !have.isEmpty() && !have.contains(target.provider().toString());
        }

        /** Returns the tree, followed by the providers of other trees that cause obstacles. */
        private List<JsonNode> withSharing(List<JsonNode> tree, List<Obstacle> obstacles) {
            Set<String> others = new TreeSet<>();
            obstacles.forEach(obstacle -> others.add(obstacle.json().path("provider").asText()));
            others.remove("");
            tree.forEach(provider -> others.remove(provider.path("uuid").asText()));
            if (others.isEmpty()) {
                return tree;
            }
            List<JsonNode> all = new ArrayList<>(tree);
            FleetResults answer = snapshot.ask(List.of(new FleetQuery.Trees(List.copyOf(others))));
            trees(answer.json(0)).forEach((uuid, providers) -> providers.stream()
                    .filter(provider -> others.contains(uuid) && uuid.equals(provider.path("uuid").asText()))
                    .forEach(all::add));
            return all;
        }

        /**
         * Returns the target's host state; null if {@code from} does not have the host, or its cell is out of reach.
         *
         * @param asIf whether to add a candidate without allocations, as if placement had offered one
         */
        private @Nullable HostState state(Target target, AllocationCandidates from, boolean asIf) {
            String provider = target.provider().toString();
            return snapshot.hosts(from, planned).stream()
                    .filter(host -> provider.equals(host.uuid()))
                    .findFirst()
                    .map(host -> asIf ? host.withCandidates(AS_IF) : host)
                    .orElse(null);
        }

        /** Converts a tree to the provider summaries of a response with candidates. */
        private static Map<String, ProviderSummary> summaries(List<JsonNode> tree) {
            String root = tree.getFirst().path("uuid").asText();
            Map<String, ProviderSummary> summaries = new LinkedHashMap<>();
            for (JsonNode provider : tree) {
                Map<String, ProviderSummary.Usage> resources = new LinkedHashMap<>();
                provider.path("inventories").properties().forEach(
                        each -> resources.put(each.getKey(), usage(each.getValue())));
                String uuid = provider.path("uuid").asText();
                summaries.put(uuid, new ProviderSummary(uuid, root, resources, false));
            }
            return summaries;
        }

        private static ProviderSummary.Usage usage(JsonNode inventory) {
            long total = inventory.path("total").asLong() - inventory.path("reserved").asLong();
            return new ProviderSummary.Usage(
                    (long) (total * inventory.path("allocation_ratio").asDouble()), inventory.path("used").asLong());
        }

        private @Nullable Decision decide(AllocationCandidates offered, List<String> gaps) {
            Decision decision = snapshot.decide(
                    List.of(), planned, offered,
                    some -> Decision.decide(
                            planned.spec(), snapshot.hosts(some, planned), false,
                            snapshot.inputs(SchedulingInputs.Detail.COUNTS), new RemainingCapacity(some)::take),
                    Decision::isNoValidHost);
            if (decision == null) {
                gaps.add("time: not all candidates were looked at for the decision");
            }
            return decision;
        }
    }
}
