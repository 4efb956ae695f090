package io.berth.scheduler.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.DecisionJson;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Rejection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.weigher.RankedHost;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Answers and explanations as JSON. */
final class AnswerJson {
    private static final JsonFactory JSON = new JsonFactory();
    /** Ranked hosts shown of each round. */
    private static final int RANKED_MAX = 20;

    private AnswerJson() {}

    private interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    private static String text(Body body) {
        StringWriter text = new StringWriter(1024);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            body.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    /** The answer of POST /v1/select_destinations. */
    static String selections(String decisionId, List<List<Selection>> selections, String explanation) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("decision_id", decisionId);
            json.writeArrayFieldStart("selections");
            for (List<Selection> ofInstance : selections) {
                json.writeStartArray();
                for (Selection selection : ofInstance) {
                    selection(json, selection);
                }
                json.writeEndArray();
            }
            json.writeEndArray();
            if (explanation != null) {
                json.writeFieldName("explanation");
                json.writeRawValue(explanation);
            }
            json.writeEndObject();
        });
    }

    private static void selection(JsonGenerator json, Selection selection) throws IOException {
        HostState host = selection.host();
        json.writeStartObject();
        json.writeStringField("compute_node_uuid", host.uuid());
        json.writeStringField("host", host.host());
        json.writeStringField("nodename", host.nodename());
        json.writeStringField("cell_uuid", host.cellUuid());
        json.writeNumberField("weight", selection.weight());
        json.writeFieldName("limits");
        limits(json, host.limits());
        json.writeFieldName("allocation_request");
        AllocationRequest request = Rounds.requestOf(host);
        if (request.allocations().isEmpty()) {
            json.writeNull();
        } else {
            json.writeStartObject();
            request.renderMembers(json);
            json.writeEndObject();
        }
        json.writeStringField("allocation_request_version", PlacementClient.MICROVERSION);
        json.writeEndObject();
    }

    private static void limits(JsonGenerator json, Limits limits) throws IOException {
        json.writeStartObject();
        if (limits.vcpu() != null) {
            json.writeNumberField("vcpu", limits.vcpu());
        }
        if (limits.memoryMb() != null) {
            json.writeNumberField("memory_mb", limits.memoryMb());
        }
        if (limits.diskGb() != null) {
            json.writeNumberField("disk_gb", limits.diskGb());
        }
        if (limits.numa() != null) {
            json.writeObjectFieldStart("numa_topology");
            json.writeNumberField("cpu_allocation_ratio", limits.numa().cpuAllocationRatio());
            json.writeNumberField("ram_allocation_ratio", limits.numa().ramAllocationRatio());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** How a decision came about: counts per stage, who left where, who was ranked how. */
    static String explanation(String decisionId, Decision decision) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("decision_id", decisionId);
            json.writeStringField("result", decision.result().wireName());
            if (decision.error() != null) {
                json.writeObjectFieldStart("error");
                json.writeStringField("stage", decision.error().stage().wireName());
                json.writeStringField("name", decision.error().name());
                json.writeStringField("detail", decision.error().detail());
                json.writeEndObject();
            }
            json.writeArrayFieldStart("instances");
            for (Decision.Evaluated evaluated : decision.rounds()) {
                round(json, evaluated);
            }
            json.writeEndArray();
            nearestMiss(json, decision);
            json.writeEndObject();
        });
    }

    /** Why placement offered nothing: counts of its stage, the query as asked, and what it could do without. */
    static String noCandidates(String decisionId, Outcome.NoCandidates nothing) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("decision_id", decisionId);
            json.writeStringField("result", Decision.Result.NO_VALID_HOST.wireName());
            json.writeObjectFieldStart("placement");
            json.writeNumberField("candidates", 0);
            json.writeStringField("query", nothing.query());
            json.writeArrayFieldStart("emptied_by");
            for (String demand : nothing.decisive()) {
                json.writeString(demand);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeArrayFieldStart("instances");
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    /** The same with every host of every stage, as simulations show it. */
    static String fullExplanation(String decisionId, Decision decision) {
        return text(json -> {
            json.writeStartObject();
            json.writeStringField("decision_id", decisionId);
            new DecisionJson(json).write(decision);
            nearestMiss(json, decision);
            json.writeEndObject();
        });
    }

    private static void round(JsonGenerator json, Decision.Evaluated evaluated) throws IOException {
        Round round = evaluated.round();
        json.writeStartObject();
        json.writeNumberField("index", round.index());
        json.writeObjectFieldStart("preselection");
        json.writeNumberField("hosts_in", round.preselection().hostsIn().size());
        json.writeNumberField("hosts_out", round.preselection().hostsOut().size());
        json.writeBooleanField("forced", round.preselection().forced());
        json.writeEndObject();
        json.writeArrayFieldStart("filters");
        for (FilterStep step : round.filters()) {
            json.writeStartObject();
            json.writeStringField("name", step.name());
            json.writeNumberField("hosts_in", step.hostCountIn());
            json.writeNumberField("hosts_out", step.hostCountOut());
            json.writeArrayFieldStart("rejected");
            for (Rejection rejection : step.rejections()) {
                json.writeStartObject();
                hostName(json, rejection.host());
                json.writeStringField("code", rejection.reason().code());
                json.writeStringField("reason", rejection.reason().render());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("ranked");
        for (RankedHost ranked : round.ranked().subList(0, Math.min(RANKED_MAX, round.ranked().size()))) {
            json.writeStartObject();
            hostName(json, HostName.of(ranked.host()));
            json.writeNumberField("weight", ranked.weight());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeFieldName("selected");
        if (evaluated.selected() == null) {
            json.writeNull();
        } else {
            json.writeStartObject();
            hostName(json, HostName.of(evaluated.selected()));
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /** The host that came furthest in the round that found none. */
    private static void nearestMiss(JsonGenerator json, Decision decision) throws IOException {
        if (decision.result() != Decision.Result.NO_VALID_HOST || decision.rounds().isEmpty()) {
            return;
        }
        List<FilterStep> steps = decision.rounds().getLast().round().filters();
        for (int i = steps.size() - 1; i >= 0; i--) {
            if (!steps.get(i).rejections().isEmpty()) {
                Rejection rejection = steps.get(i).rejections().getFirst();
                json.writeObjectFieldStart("nearest_miss");
                hostName(json, rejection.host());
                json.writeStringField("filter", steps.get(i).name());
                json.writeStringField("reason", rejection.reason().render());
                json.writeEndObject();
                return;
            }
        }
    }

    private static void hostName(JsonGenerator json, HostName name) throws IOException {
        json.writeStringField("host", name.host());
        json.writeStringField("nodename", name.nodename());
    }
}
