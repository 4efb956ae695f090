package io.berth.scheduler.decision.explanation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.json.JsonNumbers;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.weigher.WeigherStep;
import java.io.IOException;
import java.util.List;

/**
 * Writes the explanation of a decision in full, with all hosts of each stage. Writes members into an object that the
 * caller has begun. For a filter whose hosts were not kept, writes only their number and the rejections that were kept.
 */
public final class DecisionJson {
    private final JsonGenerator json;
    private final ExplanationMembers stages;

    public DecisionJson(JsonGenerator json) {
        this.json = json;
        this.stages = new ExplanationMembers(json);
    }

    /**
     * Writes the members of {@link BriefDecisionJson} in full, and {@code selections}: for each instance a list of
     * hosts, the selected one first.
     */
    public void write(Decision decision) throws IOException {
        stages.writeResult(decision);
        JsonLists.writeObjects(json, "instances", decision.rounds(), this::writeRound);
        JsonLists.writeArray(json, "selections", decision.selections(),
                selection -> JsonLists.writeArray(json, selection, host -> stages.writeHost(HostName.of(host))));
        stages.writeNearestMiss(decision);
    }

    private void writeRound(Decision.Evaluated evaluated) throws IOException {
        Round round = evaluated.round();
        json.writeNumberField("index", round.index());
        writePreselection(round.preselection());
        JsonLists.writeObjects(json, "filters", round.filters(), this::writeFilter);
        JsonLists.writeObjects(json, "weighers", round.weighers(), step -> writeWeigher(step, round.weighed()));
        stages.writeRanked(round.ranked());
        stages.writeSelected(evaluated);
    }

    private void writePreselection(Preselection preselection) throws IOException {
        json.writeObjectFieldStart("preselection");
        JsonLists.writeArray(json, "hosts_in", preselection.hostsIn(), host -> stages.writeHost(HostName.of(host)));
        JsonLists.writeArray(json, "hosts_out", preselection.hostsOut(), host -> stages.writeHost(HostName.of(host)));
        JsonLists.writeObjects(json, "dropped", preselection.dropped(), dropped -> {
            stages.writeNames(dropped.host());
            json.writeStringField("by", dropped.by());
            json.writeStringField("reason", dropped.reason().render());
        });
        json.writeBooleanField("forced", preselection.forced());
        json.writeEndObject();
    }

    private void writeFilter(FilterStep step) throws IOException {
        json.writeStringField("name", step.name());
        if (step.hostsIn().isEmpty() && step.hostCountIn() > 0) {
            json.writeNumberField("host_count_in", step.hostCountIn());
            json.writeNumberField("host_count_out", step.hostCountOut());
        } else {
            JsonLists.writeArray(json, "hosts_in", step.hostsIn(), stages::writeHost);
            JsonLists.writeArray(json, "hosts_out", step.hostsOut(), stages::writeHost);
        }
        stages.writeRejected(step.rejections());
    }

    private void writeWeigher(WeigherStep step, List<HostState> weighed) throws IOException {
        json.writeStringField("name", step.name());
        json.writeArrayFieldStart("weights");
        for (int i = 0; i < weighed.size(); i++) {
            json.writeStartObject();
            stages.writeNames(HostName.of(weighed.get(i)));
            JsonNumbers.write(json, "raw", step.raw()[i]);
            json.writeNumberField("normalized", step.normalized()[i]);
            JsonNumbers.write(json, "multiplier", step.multiplier()[i]);
            JsonNumbers.write(json, "score", step.score(i));
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
