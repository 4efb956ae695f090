package io.berth.scheduler.record;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.json.Timestamps;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.request.RequestNames;
import io.berth.scheduler.search.Shortfall;
import io.berth.scheduler.spi.Reason;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IllegalFormatException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A decision record as responses show it: the data of {@link RecordBody}, with named members and a sentence for each
 * reason. Numbers in {@code get} and {@code path} are positions in the arrays that the javadoc of {@link RecordBody}
 * defines.
 */
public final class RecordedDecision {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final ObjectReader READER = new ObjectMapper().reader();
    /** The members that a list shows. They come first in a body. */
    private static final Set<String> HEAD = Set.of(
            "kind", "time", "request_id", "as_of", "decisions", "result", "code", "detail", "tenant_detail",
            "project_name", "user_name");

    /** The position of the reason's index in a rejection, see {@link #rejection}. */
    private static final int REASON = 2;
    /** The position of the reason's first value in a rejection. */
    private static final int FIRST_VALUE = 3;

    private final DecisionRow row;
    private final JsonNode body;

    RecordedDecision(DecisionRow row) {
        this(row, JsonBody.parse(row.body()));
    }

    private RecordedDecision(DecisionRow row, JsonNode body) {
        this.row = row;
        this.body = body;
    }

    /**
     * Makes a record from a row whose body may be cut after the members that a list shows. Only {@link #id},
     * {@link #isSelected} and {@link #summary} of this record may be used.
     */
    static RecordedDecision listed(DecisionRow row) {
        ObjectNode head = NODES.objectNode();
        try (JsonParser json = READER.createParser(row.body())) {
            json.nextToken();
            for (String name = json.nextFieldName(); name != null && HEAD.contains(name); name = json.nextFieldName()) {
                json.nextToken();
                head.set(name, READER.readTree(json));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the body of decision record " + row.id() + " is invalid", e);
        }
        return new RecordedDecision(row, head);
    }

    /**
     * Renders the response to {@code GET /v1/decisions/{id}?detail=tenant}: numbers, and the demand or filter that left
     * no host, without names of hosts.
     */
    public String renderForTenant() {
        ObjectNode json = summary();
        json.remove(List.of("as_of", "detail", "tenant_detail", "hosts"));
        if (body.has("tenant_detail")) {
            json.set("detail", body.get("tenant_detail"));
        }
        JsonNode placement = body.path("placement");
        if (placement.has("demands")) {
            ObjectNode placementCounts = json.putObject("placement");
            placementCounts.set("roots", placement.get("roots"));
            ArrayNode demands = placementCounts.putArray("demands");
            placement.get("demands").forEach(demand -> demands.add(demand.<ObjectNode>deepCopy()
                    .put("demand", Shortfall.withoutHost(demand.path("demand").asText()))));
        }
        ArrayNode rounds = json.putArray("instances");
        body.path("rounds").forEach(round -> {
            ObjectNode counts = rounds.addObject();
            counts.set("index", round.get("index"));
            counts.set("hosts_in", round.get("preselection").get(0));
            counts.set("hosts_out", round.get("preselection").get(1));
            ArrayNode filters = counts.putArray("filters");
            round.path("filters").forEach(filter -> filters.addObject()
                    .<ObjectNode>set("name", filter.get(0))
                    .<ObjectNode>set("hosts_in", filter.get(1))
                    .set("hosts_out", filter.get(2)));
            counts.set("passed", round.get("passed"));
        });
        return json.toString();
    }

    public UUID id() {
        return row.id();
    }

    /** Returns whether the decision found a host for every instance. */
    public boolean isSelected() {
        return row.result().equals(DecisionOutcome.Result.SELECTED.wireName());
    }

    /** Returns the record as lists show it. */
    public ObjectNode summary() {
        return head(row, body);
    }

    /**
     * Returns the explanation of the decision for one host.
     *
     * @param name of the host or node
     */
    public RecordedHost host(String name) {
        return new RecordedHost(row, body, name, this);
    }

    /** Renders the response to {@code GET /v1/decisions/{id}}. */
    public String render() {
        ObjectNode json = head(row, body);
        json.set("request", request());
        copy("warnings", json);
        if (body.has("error")) {
            json.set("error", body.get("error"));
        } else {
            json.putNull("error");
        }
        writePrefilters(json.putArray("prefilters"));
        copy("placement", json);
        ArrayNode rounds = json.putArray("instances");
        body.path("rounds").forEach(round -> rounds.add(round(round)));
        if (body.has("nearest")) {
            JsonNode nearest = body.get("nearest");
            ObjectNode miss = names(nearest.get(1), 0);
            miss.put("stage", nearest.get(0).textValue());
            miss.put("reason", text(nearest.get(1)));
            json.set("nearest_miss", miss);
        }
        writeClaims(json);
        writePlaces(json.putArray("selections"));
        ObjectNode phases = json.putObject("phases_ms");
        body.path("ms").properties().forEach(phase -> phases.set(phase.getKey(), phase.getValue()));
        return json.toString();
    }

    /** Returns the members that a list and the whole record share. */
    private static ObjectNode head(DecisionRow row, JsonNode body) {
        ObjectNode json = NODES.objectNode();
        json.put("decision_id", row.id().toString());
        json.put("kind", row.kind());
        json.put("time", Timestamps.text(Instant.ofEpochMilli(body.path("time").asLong())));
        json.set("request_id", body.path("request_id"));
        if (body.has("as_of")) {
            JsonNode stored = body.get("as_of");
            ObjectNode asOf = json.putObject("as_of");
            if (stored.has(2)) {
                asOf.set("fleet_version", stored.get(3));
                asOf.set("replica", stored.get(2));
            }
            asOf.set("registry_version", stored.get(0));
            asOf.put("time", Timestamps.text(Instant.parse(stored.get(1).asText())));
        }
        json.put("result", row.result());
        for (String member : List.of("code", "detail", "tenant_detail", "decisions")) {
            if (body.has(member)) {
                json.set(member, body.get(member));
            }
        }
        ArrayNode instances = json.putArray("instance_uuids");
        row.instances().forEach(uuid -> instances.add(uuid.toString()));
        if (row.name() != null) {
            new RequestNames(row.name(), null, null).ofInstances(row.instances().size())
                    .forEach(json.putArray("instance_names")::add);
        }
        json.put("project_id", row.project());
        for (String member : List.of("project_name", "user_name")) {
            if (body.has(member)) {
                json.set(member, body.get(member));
            }
        }
        json.put("flavor", row.flavor());
        ArrayNode hosts = json.putArray("hosts");
        row.hosts().forEach(hosts::add);
        return json;
    }

    /** Returns the request as the client sent it; JSON null if it had no body, or was too large to be recorded. */
    private JsonNode request() {
        return row.request() == null ? NullNode.instance : JsonBody.parse(row.request());
    }

    private void copy(String member, ObjectNode into) {
        if (body.has(member)) {
            into.set(member, body.get(member));
        }
    }

    /** Each stored prefilter is [name, added condition...]. */
    private void writePrefilters(ArrayNode into) {
        body.path("prefilters").forEach(step -> {
            ObjectNode prefilter = into.addObject();
            prefilter.set("name", step.get(0));
            ArrayNode adds = prefilter.putArray("adds");
            for (int i = 1; i < step.size(); i++) {
                adds.add(step.get(i));
            }
        });
    }

    private ObjectNode round(JsonNode round) {
        ObjectNode json = NODES.objectNode();
        json.set("index", round.get("index"));
        // [hosts before, hosts after, whether hosts are forced, [[cause, rejected]...]]
        JsonNode preselection = round.get("preselection");
        ObjectNode pre = json.putObject("preselection");
        pre.set("hosts_in", preselection.get(0));
        pre.set("hosts_out", preselection.get(1));
        pre.set("forced", preselection.get(2));
        ArrayNode dropped = pre.putArray("dropped");
        preselection.path(3).forEach(each -> {
            ObjectNode drop = rejection(each.get(1));
            drop.set("by", each.get(0));
            dropped.add(drop);
        });
        ArrayNode filters = json.putArray("filters");
        round.path("filters").forEach(filter -> filters.add(filter(filter)));
        json.set("passed", round.get("passed"));
        ArrayNode ranked = json.putArray("ranked");
        JsonNode best = round.path("ranked");
        for (int rank = 0; rank < best.size(); rank++) {
            ranked.add(ranked(round, rank));
        }
        if (round.has("order")) {
            // Present only if the hosts were tried in a randomized order.
            json.set("tried_by_chance", round.get("order"));
        }
        json.set("selected", round.has("selected") ? names(round.get("selected"), 0) : NullNode.instance);
        return json;
    }

    /** @param filter [name, hosts before, hosts after, [rejected...], {code: number of further ones}] */
    private ObjectNode filter(JsonNode filter) {
        ObjectNode json = NODES.objectNode();
        json.set("name", filter.get(0));
        json.set("hosts_in", filter.get(1));
        json.set("hosts_out", filter.get(2));
        ArrayNode rejected = json.putArray("rejected");
        filter.path(3).forEach(each -> rejected.add(rejection(each)));
        if (filter.has(4)) {
            json.set("more_rejected", filter.get(4));
        }
        return json;
    }

    /**
     * Returns a ranked host of a round with its weights. A stored host is [host, node, weight], a stored weigher [name,
     * raw, normalized, multiplier].
     */
    ObjectNode ranked(JsonNode round, int rank) {
        JsonNode host = round.get("ranked").get(rank);
        ObjectNode json = names(host, 0);
        json.set("weight", host.get(2));
        ArrayNode weights = json.putArray("weights");
        round.path("weighers").forEach(weigher -> {
            ObjectNode weight = weights.addObject();
            weight.set("weigher", weigher.get(0));
            JsonNode raw = at(weigher.get(1), rank);
            JsonNode normalized = at(weigher.get(2), rank);
            JsonNode multiplier = at(weigher.get(3), rank);
            weight.set("raw", raw);
            weight.set("normalized", normalized);
            weight.set("multiplier", multiplier);
            double weighted = multiplier.isNull() ? Double.NaN : multiplier.asDouble() * normalized.asDouble();
            weight.set("weighted", Double.isNaN(weighted)
                    ? NullNode.instance
                    : DoubleNode.valueOf(Math.clamp(weighted, -Double.MAX_VALUE, Double.MAX_VALUE)));
        });
        return json;
    }

    /** Returns the value for a rank. A column is a single number if it is the same for all ranks. */
    private static JsonNode at(JsonNode column, int rank) {
        return column.isArray() ? column.get(rank) : column;
    }

    /** Each stored claim is [instance, host, node, index of the candidate, outcome, detail]. */
    private void writeClaims(ObjectNode json) {
        ArrayNode claims = json.putArray("claims");
        body.path("claims").forEach(claim -> {
            ObjectNode each = claims.addObject();
            each.set("instance_uuid", claim.get(0));
            each.setAll(names(claim, 1));
            each.set("candidate", claim.get(3));
            each.set("outcome", claim.get(4));
            if (claim.has(5)) {
                each.set("detail", claim.get(5));
            }
        });
        json.put("claim_count", body.path("claim_count").asInt());
    }

    private void writePlaces(ArrayNode into) {
        body.path("places").forEach(ofInstance -> {
            ArrayNode hosts = into.addArray();
            ofInstance.forEach(place -> hosts.add(names(place, 0)));
        });
    }

    /**
     * Returns the host at this position and the node at the next position; a node that is null or missing has the name
     * of the host.
     */
    static ObjectNode names(JsonNode array, int position) {
        ObjectNode names = NODES.objectNode();
        names.set("host", array.get(position));
        names.set("nodename", array.path(position + 1).isTextual() ? array.get(position + 1) : array.get(position));
        return names;
    }

    /**
     * Returns a rejection with named members and its sentence.
     *
     * @param rejected [host, node, index of the reason, values...]
     */
    ObjectNode rejection(JsonNode rejected) {
        ObjectNode json = names(rejected, 0);
        json.set("code", body.get("reasons").get(rejected.get(REASON).asInt()).get(0));
        ArrayNode values = json.putArray("values");
        for (int i = FIRST_VALUE; i < rejected.size(); i++) {
            values.add(rejected.get(i));
        }
        json.put("reason", text(rejected));
        return json;
    }

    /** Returns the sentence of a rejection: the template of its reason with the values. */
    private String text(JsonNode rejected) {
        JsonNode kind = body.get("reasons").get(rejected.get(REASON).asInt());
        List<Object> values = new ArrayList<>();
        for (int i = FIRST_VALUE; i < rejected.size(); i++) {
            values.add(value(rejected.get(i)));
        }
        Reason reason = Reason.of(kind.get(0).textValue(), kind.get(1).textValue(), values.toArray());
        try {
            return reason.render();
        } catch (IllegalFormatException misfit) {
            // A value that JSON cannot represent, such as NaN, was stored as text, which a number format such as %f
            // rejects. Only reasons of extensions are expected to have such values.
            return reason.code() + " " + values;
        }
    }

    private static @Nullable Object value(JsonNode value) {
        return value.isIntegralNumber()
                ? (Object) value.longValue()
                : value.isNumber()
                        ? (Object) value.doubleValue()
                        : value.isBoolean()
                                ? value.booleanValue()
                                : value.textValue();
    }
}
