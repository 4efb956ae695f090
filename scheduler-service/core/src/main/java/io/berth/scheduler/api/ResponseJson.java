package io.berth.scheduler.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.json.JsonNumbers;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.explanation.BriefDecisionJson;
import io.berth.scheduler.decision.explanation.DecisionJson;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.record.PlacementJson;
import io.berth.scheduler.selection.Selection;
import io.berth.scheduler.selection.SelectionOutcome;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;

/** Renders the outcome of a request to place instances as JSON: selections, or an explanation of the decision. */
final class ResponseJson {
    private ResponseJson() {}

    /**
     * Renders the response of POST /v1/select_destinations.
     *
     * @param decisionId uuid of the decision record; null if the decision is not recorded
     * @param selections for each instance, the selected host followed by its alternates
     * @param explanation rendered JSON; null to omit the member
     */
    static String selections(@Nullable String decisionId, List<List<Selection>> selections, List<String> warnings,
            @Nullable String explanation) {
        return WrittenJson.objectText(json -> {
            WrittenJson.writeIfAny(json, "decision_id", decisionId);
            JsonLists.writeArray(json, "selections", selections,
                    ofInstance -> JsonLists.writeArray(json, ofInstance, each -> selection(json, each)));
            warnings(json, warnings);
            if (explanation != null) {
                json.writeFieldName("explanation");
                json.writeRawValue(explanation);
            }
        });
    }

    /** Writes the member {@code warnings}, unless the list is empty. */
    private static void warnings(JsonGenerator json, List<String> warnings) throws IOException {
        JsonLists.writeTextsIfAny(json, "warnings", warnings);
    }

    private static void selection(JsonGenerator json, Selection selection) throws IOException {
        HostState host = selection.host();
        json.writeStartObject();
        json.writeStringField("compute_node_uuid", host.uuid());
        json.writeStringField("host", host.host());
        json.writeStringField("nodename", host.nodename());
        json.writeStringField("cell_uuid", host.cellUuid());
        JsonNumbers.write(json, "weight", selection.weight());
        json.writeFieldName("limits");
        limits(json, host.limits());
        json.writeFieldName("allocation_request");
        AllocationRequest request = selection.allocationRequest();
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
        WrittenJson.writeIfAny(json, "vcpu", limits.vcpu());
        WrittenJson.writeIfAny(json, "memory_mb", limits.memoryMb());
        WrittenJson.writeIfAny(json, "disk_gb", limits.diskGb());
        if (limits.numa() != null) {
            json.writeObjectFieldStart("numa_topology");
            json.writeNumberField("cpu_allocation_ratio", limits.numa().cpuAllocationRatio());
            json.writeNumberField("ram_allocation_ratio", limits.numa().ramAllocationRatio());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    /**
     * Renders a decision: the number of hosts after each stage, the hosts that each filter rejected, and the ranking.
     *
     * @param decisionId uuid of the decision record; null if the decision is not recorded
     * @param listsEveryHost whether every host of every stage is listed, as in simulations; otherwise, only the first
     *     hosts of each stage are
     * @param tenantDetail the reason of a failure, in words that name no host; null to omit the member
     * @param placementResult the query to placement, with the number of provider trees that satisfy each demand; null
     *     to omit the member {@code placement}
     */
    static String explanation(
            @Nullable String decisionId, Decision decision, List<String> warnings, boolean listsEveryHost,
            @Nullable String tenantDetail, @Nullable SelectionOutcome.NoCandidates placementResult) {
        return WrittenJson.objectText(json -> {
            WrittenJson.writeIfAny(json, "decision_id", decisionId);
            warnings(json, warnings);
            WrittenJson.writeIfAny(json, "tenant_detail", tenantDetail);
            if (placementResult != null) {
                placement(json, placementResult);
            }
            if (listsEveryHost) {
                new DecisionJson(json).write(decision);
            } else {
                new BriefDecisionJson(json).write(decision);
            }
        });
    }

    /**
     * Renders a decision for which placement returned no candidates: the query, and for each of its demands the number
     * of provider trees that satisfy it.
     */
    static String noCandidates(@Nullable String decisionId, SelectionOutcome.NoCandidates outcome,
            List<String> warnings) {
        return WrittenJson.objectText(json -> {
            WrittenJson.writeIfAny(json, "decision_id", decisionId);
            warnings(json, warnings);
            WrittenJson.writeIfAny(json, "tenant_detail", outcome.tenantDetail());
            json.writeStringField("result", Decision.Result.NO_VALID_HOST.wireName());
            placement(json, outcome);
            JsonLists.writeTexts(json, "instances", List.of());
        });
    }

    private static void placement(JsonGenerator json, SelectionOutcome.NoCandidates placementResult)
            throws IOException {
        json.writeObjectFieldStart("placement");
        PlacementJson.write(json, placementResult.query(), placementResult.shortfall());
        json.writeEndObject();
    }
}
