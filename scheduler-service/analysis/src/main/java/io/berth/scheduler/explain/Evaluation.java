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
 * The evaluation of one request on one snapshot: the obstacles (causes that keep an instance off a host) of each target
 * host, in placement and in the filters, and the decision. Usually takes one call of placement.
 *
 * @param hosts the hosts in the order of the targets; hosts for which there was no time are missing
 * @param decision the decision; null if it was not requested, the request is refused before a query to placement, or
 * the time was up
 * @param gaps descriptions of what was not evaluated
 */
record Evaluation(List<Host> hosts, @Nullable Decision decision, List<String> gaps) {
    /**
     * The code of the obstacle of a host that is cut off by the query's limit on candidates. The host is admissible if
     * this is its only obstacle.
     */
    static final String CUT = "cut_by_limit";
    /** Codes of obstacles about one extra spec or image property. Its name is the third of {@link Reason#values}. */
    private static final Set<String> CODES_WITH_NAME =
            Set.of("extra_spec", "extra_spec_missing", "capability", "capability_missing", "image_property");
    /**
     * One candidate without allocations. A host for which placement returns no candidate gets this one, so that filters
     * evaluate the host, too.
     */
    static final List<AllocationCandidate> WITHOUT_ALLOCATIONS = List.of(AllocationCandidate.NONE);

    /**
     * A host with its obstacles.
     *
     * @param tree the providers of the host's tree in placement's JSON, with inventories, traits and aggregates, the
     * root first; then sharing providers that cause obstacles. Empty if placement does not have the host's provider
     * @param obstacles empty: the host is admissible
     */
    record Host(Target target, List<JsonNode> tree, List<Obstacle> obstacles) {
        /**
         * Returns whether the request could be placed on the host: it has no obstacle, or only that of the limit on
         * candidates.
         */
        boolean isAdmissible() {
            return obstacles.stream().allMatch(each -> each.code().equals(CUT));
        }

        /** Returns whether a provider is in the host's tree; a sharing provider of another tree is not. */
        boolean isOfTree(String uuid) {
            JsonNode ancestor = provider(uuid);
            while (ancestor != null && ancestor.path("parent").isTextual()) {
                ancestor = provider(ancestor.path("parent").textValue());
            }
            return ancestor != null && ancestor.equals(tree.getFirst());
        }

        /** Returns the provider with this uuid; null if it is not in {@link #tree}. */
        @Nullable JsonNode provider(String uuid) {
            return tree.stream().filter(each -> each.path("uuid").asText().equals(uuid)).findFirst().orElse(null);
        }
    }

    /** The extent of an evaluation. */
    enum Detail {
        /**
         * All obstacles except {@link #CUT}, which is expensive to find: enough to see whether a host is admissible.
         */
        ADMISSIBLE,
        /** All obstacles. */
        OBSTACLES,
        /** All obstacles, and the decision. */
        DECISION
    }

    /**
     * Evaluates a request on the target hosts. Blocks; for the analysis worker only. Throws ApiFault as
     * {@link Snapshot#plan} and {@link Snapshot#ask(List)} do: 400 for an invalid request, 501 if placement is not
     * Berth's, 503 if it does not respond.
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
            return new PlacementCall(snapshot, planned, targets).evaluate(detail);
        } catch (ApiFault fault) {
            if (fault.error().code() != ErrorCode.NOT_FOUND) {
                throw fault;
            }
        }
        // Placement refuses a query about a provider that does not exist, so queries again without these targets.
        List<Target> existing = targets.stream().filter(target -> snapshot.hasProvider(target.provider())).toList();
        Evaluation ofExisting = new PlacementCall(snapshot, planned, existing).evaluate(detail);
        Iterator<Host> evaluated = ofExisting.hosts().iterator();
        List<Host> hosts = new ArrayList<>();
        for (Target target : targets) {
            if (!existing.contains(target)) {
                hosts.add(withoutProvider(target));
            } else if (evaluated.hasNext()) {
                hosts.add(evaluated.next());
            }
        }
        return new Evaluation(hosts, ofExisting.decision(), ofExisting.gaps());
    }

    private static Host withoutProvider(Target target) {
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

    private static Obstacle obstacle(HostObstacle obstacle) {
        Reason reason = obstacle.reason();
        ObjectNode json = JsonNodeFactory.instance.objectNode()
                .put("stage", obstacle.stage().wireName())
                .put("by", obstacle.by())
                .put("code", reason.code());
        put(json, "wanted", reason.wanted());
        put(json, "had", reason.had());
        if (CODES_WITH_NAME.contains(reason.code())) {
            json.put("name", reason.values().get(2).toString());
        }
        if (reason.unit() != null) {
            json.put("unit", reason.unit());
        }
        return new Obstacle(json.put("text", reason.render()), obstacle.remedies());
    }

    /**
     * Adds an amount as a number, and any other value as a list of at most {@value Reason#ITEMS_SHOWN} texts; adds
     * nothing for null.
     */
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
     * One call of placement, and the evaluation of its results. A request has one query, or two if it has a fallback
     * query. The call has these queries, in this order: for each query of the request an explanation; the trees of all
     * targets; for each target and each query of the request the target's candidates, without a limit; for each query
     * of the request the candidates of the decision, if it is requested. The evaluation makes further calls for sharing
     * providers that cause obstacles, and for a decision that finds no host among the limited candidates.
     */
    record PlacementCall(Snapshot snapshot, HostSearch.Queries planned, List<Target> targets) {
        Evaluation evaluate(Detail detail) {
            List<String> providers = targets.stream().map(target -> target.provider().toString()).toList();
            List<String> queries = planned.all();
            List<FleetQuery> fleetQueries = new ArrayList<>();
            queries.forEach(query -> fleetQueries.add(
                    new FleetQuery.Explanation(query, providers, detail != Detail.ADMISSIBLE)));
            fleetQueries.add(new FleetQuery.Trees(providers));
            List<String> unlimited = planned.withoutLimit().all();
            for (String provider : providers) {
                unlimited.forEach(query -> fleetQueries.add(new FleetQuery.Candidates(within(query, provider))));
            }
            if (detail == Detail.DECISION) {
                queries.forEach(query -> fleetQueries.add(new FleetQuery.Candidates(query)));
            }
            return evaluateResults(snapshot.ask(fleetQueries), detail);
        }

        /** Returns the evaluation from placement's results, which are in the order of the queries. */
        Evaluation evaluateResults(FleetResults results, Detail detail) {
            List<String> queries = planned.all();
            List<String> gaps = new ArrayList<>(results.gaps());
            JsonNode json = results.json(queries.size());
            if (json == null) {
                // Placement evaluates queries in their order, so the time was up for all later queries, too.
                gaps.add("time: %d hosts were not evaluated".formatted(targets.size()));
                return new Evaluation(List.of(), null, gaps);
            }
            Map<String, List<Obstacle>> obstaclesByRoot = obstaclesByRoot(results, queries.size());
            Map<String, List<JsonNode>> trees = trees(json);
            List<Host> hosts = new ArrayList<>();
            int next = queries.size() + 1;
            for (Target target : targets) {
                AllocationCandidates candidates = joined(results, next, queries.size());
                next += queries.size();
                List<JsonNode> tree = trees.getOrDefault(target.provider().toString(), List.of());
                hosts.add(host(target, candidates, tree, obstaclesByRoot));
            }
            Decision decision =
                    detail == Detail.DECISION ? decide(joined(results, next, queries.size()), gaps) : null;
            return new Evaluation(hosts, decision, gaps);
        }

        /** Restricts a query to the tree of one provider, unless the query is restricted to a tree already. */
        private static String within(String query, String provider) {
            return query.startsWith("in_tree=") || query.contains("&in_tree=")
                    ? query
                    : query + "&in_tree=" + provider;
        }

        /**
         * Joins the candidates of one query, or of a query and its fallback query. Empty if the time was up before the
         * first query.
         *
         * @param first index of the query among the results
         * @param count number of queries, 1 or 2
         */
        private static AllocationCandidates joined(FleetResults results, int first, int count) {
            AllocationCandidates ofFirst = results.candidates(first);
            AllocationCandidates ofFallback = count > 1 ? results.candidates(first + 1) : null;
            return ofFirst == null
                    ? new AllocationCandidates(List.of(), Map.of())
                    : ofFallback == null ? ofFirst : ofFirst.followedBy(ofFallback);
        }

        /**
         * Returns placement's obstacles by the uuid of the tree's root. If the request has a fallback query, a tree has
         * the obstacles of the query with fewer obstacles; the fallback query does not count for a tree that is meant
         * for the first query ({@link FleetResults#isMeantForFirstQuery}). An incomplete evaluation counts as one
         * obstacle.
         */
        private Map<String, List<Obstacle>> obstaclesByRoot(FleetResults results, int queries) {
            Map<String, List<Obstacle>> obstaclesByRoot = new HashMap<>();
            for (int i = 0; i < queries; i++) {
                JsonNode explanation = results.json(i);
                if (explanation == null) {
                    continue;
                }
                for (JsonNode each : explanation.path("providers")) {
                    if (FleetResults.isMeantForFirstQuery(each)) {
                        continue;
                    }
                    List<Obstacle> obstacles = new ArrayList<>();
                    each.path("obstacles").forEach(obstacle -> obstacles.add(Obstacle.of((ObjectNode) obstacle)));
                    if (!each.path("complete").booleanValue()) {
                        obstacles.add(notEvaluated());
                    }
                    obstaclesByRoot.merge(each.path("root").asText(), obstacles,
                            (first, second) -> first.size() <= second.size() ? first : second);
                }
            }
            return obstaclesByRoot;
        }

        /** Returns all providers of a tree, by the uuid of each of these providers. */
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
                Target target, AllocationCandidates candidates,
                List<JsonNode> tree, Map<String, List<Obstacle>> obstaclesByRoot) {
            if (tree.isEmpty()) {
                return withoutProvider(target);
            }
            List<Obstacle> obstacles = tree.stream()
                    .map(provider -> obstaclesByRoot.get(provider.path("uuid").asText()))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .map(ArrayList::new)
                    .orElseGet(() -> new ArrayList<>(List.of(notEvaluated())));
            HostState state = state(target, candidates, false);
            boolean isOffered = state != null;
            if (state != null) {
                // The host has a candidate, so placement admits it, although it did not evaluate the host completely.
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
                if (!isOffered && hasAmountsOnlyInChildren(target, tree)) {
                    obstacles.add(obstacle(HostObstacle.ofRoot(state)));
                }
            }
            return new Host(target, withSharing(tree, obstacles), obstacles);
        }

        /**
         * Returns whether only child providers of the tree have requested resource classes, and the root has none. The
         * host can then not be claimed, because a claim needs a root provider that supplies some of the resources.
         */
        private boolean hasAmountsOnlyInChildren(Target target, List<JsonNode> tree) {
            Set<String> requested = new TreeSet<>();
            planned.all().forEach(query -> requested.addAll(Amounts.of(query).keySet()));
            List<String> withRequested = tree.stream()
                    .filter(provider -> requested.stream().anyMatch(name -> provider.path("inventories").has(name)))
                    .map(provider -> provider.path("uuid").asText())
                    .toList();
            return !withRequested.isEmpty() && !withRequested.contains(target.provider().toString());
        }

        /** Returns the tree, followed by the providers of other trees that cause obstacles. */
        private List<JsonNode> withSharing(List<JsonNode> tree, List<Obstacle> obstacles) {
            Set<String> sharing = new TreeSet<>();
            obstacles.forEach(obstacle -> sharing.add(obstacle.json().path("provider").asText()));
            sharing.remove("");
            tree.forEach(provider -> sharing.remove(provider.path("uuid").asText()));
            if (sharing.isEmpty()) {
                return tree;
            }
            List<JsonNode> all = new ArrayList<>(tree);
            FleetResults results = snapshot.ask(List.of(new FleetQuery.Trees(List.copyOf(sharing))));
            trees(results.json(0)).forEach((uuid, providers) -> providers.stream()
                    .filter(provider -> sharing.contains(uuid) && uuid.equals(provider.path("uuid").asText()))
                    .forEach(all::add));
            return all;
        }

        /**
         * Returns the target's host state; null if the host is not in {@code candidates}, if its cell is disabled, or
         * if the request demands another cell.
         *
         * @param asIf whether the host gets {@link #WITHOUT_ALLOCATIONS}, as if placement had returned a candidate
         */
        private @Nullable HostState state(Target target, AllocationCandidates candidates, boolean asIf) {
            String provider = target.provider().toString();
            return snapshot.hosts(candidates, planned).stream()
                    .filter(host -> provider.equals(host.uuid()))
                    .findFirst()
                    .map(host -> asIf ? host.withCandidates(WITHOUT_ALLOCATIONS) : host)
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

        private @Nullable Decision decide(AllocationCandidates candidates, List<String> gaps) {
            Decision decision = snapshot.decide(
                    List.of(), planned, candidates,
                    all -> Decision.decide(
                            planned.spec(), snapshot.hosts(all, planned), false,
                            snapshot.inputs(SchedulingInputs.Detail.COUNTS), new RemainingCapacity(all)::tryTake),
                    Decision::isNoValidHost);
            if (decision == null) {
                gaps.add("time: not all candidates were evaluated for the decision");
            }
            return decision;
        }
    }
}
