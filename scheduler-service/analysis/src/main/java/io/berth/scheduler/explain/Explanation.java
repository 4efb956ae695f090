package io.berth.scheduler.explain;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.json.JsonLists;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.planning.MovesAway;
import io.berth.scheduler.response.AnalysisOutcome;
import io.berth.scheduler.search.Shortfall;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.weigher.RankedHost;
import io.berth.scheduler.weigher.WeigherStep;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Explains as JSON whether hosts can take an instance of one request, why they cannot, and which changes would admit
 * them. An object is for one response. Blocks while it queries placement; for the analysis worker only.
 */
final class Explanation {
    /** The number of hosts in one call of placement by {@link #forTenants}. */
    private static final int BATCH_HOSTS = 200;

    private final Snapshot snapshot;
    private final JsonNode request;
    private final MovesAway moves;
    private final RequestSpecBody parsed;
    private final List<String> gaps = new ArrayList<>();
    private boolean isAnyAdmissible;

    Explanation(Snapshot snapshot, JsonNode request, MovesAway moves) {
        this.snapshot = snapshot;
        this.request = request;
        this.moves = moves;
        this.parsed = RequestSpecBody.read(new StrictObject(request, "$.request_spec"), UUID::randomUUID);
    }

    /**
     * Returns the explanation as JSON.
     *
     * @param names names of the hosts; empty: the hosts that {@link Nearest} finds, which have the fewest obstacles
     */
    String ofHosts(List<String> names) {
        Evaluation evaluation = names.isEmpty()
                ? new Nearest(snapshot, parsed).find()
                : Evaluation.of(snapshot, parsed, targets(names), Evaluation.Detail.DECISION);
        isAnyAdmissible = evaluation.hosts().stream().anyMatch(Evaluation.Host::isAdmissible);
        Repairs repairs = new Repairs(snapshot, request, moves);
        gaps.addAll(evaluation.gaps());
        return render(json -> {
            writePlaced(json);
            JsonLists.writeObjects(json, "hosts", evaluation.hosts(),
                    host -> write(json, host, evaluation.decision(), repairs));
            writeDecision(json, evaluation.decision());
            gaps.addAll(repairs.gaps());
        });
    }

    /**
     * Returns the explanation for tenants (users of one project) as JSON: only the number of evaluated hosts, how many
     * of them can take the instance, and for each obstacle the number of hosts that have it. Evaluates as many
     * registered hosts as the time allows.
     */
    String forTenants() {
        Map<String, Integer> counts = new LinkedHashMap<>();
        Map<String, ObjectNode> causes = new LinkedHashMap<>();
        List<ComputeNode> nodes = snapshot.registry().listComputeNodes();
        int evaluated = 0;
        long admissible = 0;
        while (evaluated < nodes.size() && !snapshot.deadline().isUp()) {
            List<ComputeNode> batch = nodes.subList(evaluated, Math.min(nodes.size(), evaluated + BATCH_HOSTS));
            Evaluation evaluation = Evaluation.of(
                    snapshot, parsed, batch.stream().map(Target::of).toList(), Evaluation.Detail.OBSTACLES);
            gaps.addAll(evaluation.gaps());
            if (evaluation.hosts().isEmpty()) {
                break;
            }
            for (Evaluation.Host host : evaluation.hosts()) {
                host.obstacles().stream().map(Obstacle::json).map(this::cause).distinct().forEach(cause -> {
                    counts.merge(cause.toString(), 1, Integer::sum);
                    causes.put(cause.toString(), cause);
                });
            }
            admissible += evaluation.hosts().stream().filter(Evaluation.Host::isAdmissible).count();
            evaluated += batch.size();
        }
        if (evaluated < nodes.size()) {
            gaps.add("time: of %d hosts, only %d were evaluated".formatted(nodes.size(), evaluated));
        }
        int hosts = evaluated;
        long admitted = admissible;
        isAnyAdmissible = admitted > 0;
        return render(json -> {
            json.writeNumberField("hosts", hosts);
            json.writeNumberField("admissible", admitted);
            JsonLists.writeArray(json, "obstacles", causes.entrySet(),
                    each -> json.writeTree(each.getValue().put("hosts", counts.get(each.getKey()))));
        });
    }

    /**
     * Returns the outcome of the explanation: incomplete if there are gaps, otherwise yes if at least one of the
     * evaluated hosts is admissible. Must be called after {@link #ofHosts} or {@link #forTenants}.
     */
    AnalysisOutcome outcome() {
        return AnalysisOutcome.of(gaps.isEmpty(), isAnyAdmissible);
    }

    /** Returns an obstacle for tenants: without the amounts and the names of hosts. */
    private ObjectNode cause(ObjectNode obstacle) {
        String by = Shortfall.withoutHost(obstacle.path("by").asText());
        return obstacle.deepCopy().retain("stage", "by", "code")
                .put("by", Shortfall.replaceUuids(by, snapshot.registry()));
    }

    private String render(WrittenJson.Writing members) {
        return WrittenJson.objectText(json -> {
            snapshot.asOf().render(json);
            JsonLists.writeTextsIfAny(json, "warnings", snapshot.warnings(parsed.spec()));
            members.write(json);
            if (snapshot.hasFleetChanged()) {
                gaps.add(Snapshot.PLACEMENT_CHANGED);
            }
            json.writeBooleanField("complete", gaps.isEmpty());
            JsonLists.writeTexts(json, "gaps", new LinkedHashSet<>(gaps));
        });
    }

    /**
     * Returns the compute nodes of the hosts, and for a host that is not registered the providers of its name. Throws
     * ApiFault (404) for a host that is neither registered nor in placement.
     */
    private List<Target> targets(List<String> names) {
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            List<ComputeNode> nodes = snapshot.registry().computeNodesOf(name);
            nodes.stream().map(Target::of).forEach(targets::add);
            if (nodes.isEmpty()) {
                Map<String, String> found = snapshot.providersNamed(name);
                if (found.isEmpty()) {
                    throw ApiFault.notFound("$.hosts[%d]: there is no host %s".formatted(i, name));
                }
                found.keySet().forEach(uuid -> targets.add(new Target(name, name, UUID.fromString(uuid))));
            }
        }
        return targets.stream().distinct().toList();
    }

    private void write(JsonGenerator json, Evaluation.Host host, @Nullable Decision decision, Repairs repairs)
            throws IOException {
        json.writeStringField("host", host.target().host());
        json.writeStringField("nodename", host.target().nodename());
        json.writeStringField("compute_node_uuid", host.target().provider().toString());
        boolean isChosen = decision != null && decision.selections().stream()
                .anyMatch(selection -> isTarget(selection.getFirst(), host.target()));
        json.writeStringField("verdict", isChosen ? "chosen" : host.isAdmissible() ? "admissible" : "rejected");
        if (decision != null && !decision.rounds().isEmpty()) {
            writeRank(json, host.target(), decision.rounds().getFirst().round());
        }
        JsonLists.writeArray(json, "obstacles", host.obstacles(),
                obstacle -> json.writeTree(Shortfall.replaceUuids(obstacle.json(), snapshot.registry())));
        if (!host.isAdmissible()) {
            JsonLists.writeArray(json, "admitted_by", repairs.findSets(host),
                    set -> JsonLists.writeArray(json, set, change -> json.writeTree(change.json())));
        }
    }

    /**
     * Writes the instances of the request that have a host by now, so that the operator need not change anything for
     * them.
     */
    private void writePlaced(JsonGenerator json) throws IOException {
        List<RegisteredInstance> placed = parsed.spec().instanceUuids().stream()
                .map(Uuids::find)
                .filter(Objects::nonNull)
                .map(snapshot.registry()::findInstance)
                .filter(Objects::nonNull)
                .toList();
        if (!placed.isEmpty()) {
            JsonLists.writeObjects(json, "placed", placed, instance -> {
                json.writeStringField("instance", instance.uuid().toString());
                json.writeStringField("host", instance.host());
            });
        }
    }

    /**
     * Writes the decision, unless it is null. A host may be admissible although the decision places fewer instances
     * than requested, because hosts are evaluated for the first instance only.
     */
    private void writeDecision(JsonGenerator json, @Nullable Decision decision) throws IOException {
        if (decision != null) {
            json.writeObjectFieldStart("decision");
            json.writeStringField("result", decision.result().wireName());
            json.writeNumberField("instances", parsed.spec().instanceCount());
            json.writeNumberField("placed", decision.placedCount());
            json.writeEndObject();
        }
    }

    private static boolean isTarget(HostState host, Target target) {
        return target.provider().toString().equals(host.uuid());
    }

    /**
     * Writes the rank of the host for the first instance, and the weighers whose score of the best host is higher than
     * that of this host. Writes nothing for a host that was not ranked.
     */
    private static void writeRank(JsonGenerator json, Target target, Round round) throws IOException {
        List<RankedHost> ranked = round.order();
        int rank = 0;
        while (rank < ranked.size() && !isTarget(ranked.get(rank).host(), target)) {
            rank++;
        }
        if (rank == ranked.size()) {
            return;
        }
        json.writeNumberField("rank", rank + 1);
        json.writeNumberField("ranked", ranked.size());
        json.writeNumberField("weight", ranked.get(rank).weight());
        json.writeArrayFieldStart("behind");
        int index = indexOf(ranked.get(rank).host(), round.weighed());
        int bestIndex = indexOf(ranked.getFirst().host(), round.weighed());
        for (WeigherStep step : round.weighers()) {
            if (index != bestIndex && step.score(bestIndex) > step.score(index)) {
                json.writeStartObject();
                json.writeStringField("by", step.name());
                json.writeNumberField("score", step.score(index));
                json.writeNumberField("raw", step.raw()[index]);
                json.writeNumberField("best_score", step.score(bestIndex));
                json.writeNumberField("best_raw", step.raw()[bestIndex]);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
    }

    private static int indexOf(HostState host, List<HostState> weighed) {
        for (int i = 0; i < weighed.size(); i++) {
            if (weighed.get(i).facts() == host.facts()) {
                return i;
            }
        }
        throw new IllegalStateException("ranked without being weighed: " + host.host());
    }
}
