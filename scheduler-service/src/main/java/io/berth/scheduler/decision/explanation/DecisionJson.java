package io.berth.scheduler.decision.explanation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.json.JsonNumbers;
import io.berth.scheduler.weigher.WeigherStep;
import java.io.IOException;
import java.util.List;

/**
 * How a decision explains itself with every host of every stage. Writes members into an object that the caller has
 * opened. A filter whose hosts were not kept is written with its counts.
 */
public final class DecisionJson {
    private final JsonGenerator json;
    private final StageJson stages;

    public DecisionJson(JsonGenerator json) {
        this.json = json;
        this.stages = new StageJson(json);
    }

    /** Writes what {@link BriefDecisionJson} writes, in full, and {@code selections}. */
    public void write(Decision decision) throws IOException {
        stages.writeResult(decision);
        json.writeArrayFieldStart("instances");
        for (Decision.Evaluated each : decision.rounds()) {
            writeRound(each);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("selections");
        for (List<HostState> selection : decision.selections()) {
            json.writeStartArray();
            for (HostState host : selection) {
                stages.writeHost(HostName.of(host));
            }
            json.writeEndArray();
        }
        json.writeEndArray();
        stages.writeNearestMiss(decision);
    }

    private void writeRound(Decision.Evaluated evaluated) throws IOException {
        Round round = evaluated.round();
        json.writeStartObject();
        json.writeNumberField("index", round.index());
        writePreselection(round.preselection());
        json.writeArrayFieldStart("filters");
        for (FilterStep step : round.filters()) {
            writeFilter(step);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("weighers");
        for (WeigherStep step : round.weighers()) {
            writeWeigher(step, round.weighed());
        }
        json.writeEndArray();
        stages.writeRanked(round.ranked());
        stages.writeSelected(evaluated);
        json.writeEndObject();
    }

    private void writePreselection(Preselection preselection) throws IOException {
        json.writeObjectFieldStart("preselection");
        json.writeArrayFieldStart("hosts_in");
        for (HostState host : preselection.hostsIn()) {
            stages.writeHost(HostName.of(host));
        }
        json.writeEndArray();
        json.writeArrayFieldStart("hosts_out");
        for (HostState host : preselection.hostsOut()) {
            stages.writeHost(HostName.of(host));
        }
        json.writeEndArray();
        json.writeArrayFieldStart("dropped");
        for (Preselection.Dropped dropped : preselection.dropped()) {
            json.writeStartObject();
            stages.writeNames(dropped.host());
            json.writeStringField("by", dropped.by());
            json.writeStringField("reason", dropped.reason().render());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("forced", preselection.forced());
        json.writeEndObject();
    }

    private void writeFilter(FilterStep step) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", step.name());
        if (step.hostsIn().isEmpty() && step.hostCountIn() > 0) {
            json.writeNumberField("host_count_in", step.hostCountIn());
            json.writeNumberField("host_count_out", step.hostCountOut());
        } else {
            writeHosts("hosts_in", step.hostsIn());
            writeHosts("hosts_out", step.hostsOut());
        }
        stages.writeRejected(step.rejections());
        json.writeEndObject();
    }

    private void writeWeigher(WeigherStep step, List<HostState> weighed) throws IOException {
        json.writeStartObject();
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
        json.writeEndObject();
    }

    private void writeHosts(String name, List<HostName> hosts) throws IOException {
        json.writeArrayFieldStart(name);
        for (HostName host : hosts) {
            stages.writeHost(host);
        }
        json.writeEndArray();
    }
}
