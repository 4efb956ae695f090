package io.berth.scheduler.decision;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.weigher.RankedHost;
import io.berth.scheduler.weigher.WeigherStep;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;

/**
 * How a decision explains itself with every host of every stage. Writes members into an object that the caller has
 * opened. A filter whose hosts were not kept is written with its counts.
 */
public final class DecisionJson {
    private final JsonGenerator json;

    public DecisionJson(JsonGenerator json) {
        this.json = json;
    }

    /** Writes {@code result}, {@code error}, {@code instances} and {@code selections}. */
    public void write(Decision decision) throws IOException {
        json.writeStringField("result", decision.result().wireName());
        writeError(decision.error());
        json.writeArrayFieldStart("instances");
        for (Decision.Evaluated each : decision.rounds()) {
            writeRound(each);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("selections");
        for (List<HostState> selection : decision.selections()) {
            json.writeStartArray();
            for (HostState host : selection) {
                writeHost(HostName.of(host));
            }
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private void writeError(@Nullable EvaluationError error) throws IOException {
        if (error == null) {
            json.writeNullField("error");
            return;
        }
        json.writeObjectFieldStart("error");
        json.writeStringField("stage", error.stage().wireName());
        json.writeStringField("name", error.name());
        json.writeStringField("host", error.host() == null ? null : error.host().host());
        json.writeStringField("nodename", error.host() == null ? null : error.host().nodename());
        json.writeStringField("detail", error.detail());
        json.writeEndObject();
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
        json.writeArrayFieldStart("ranked");
        for (RankedHost ranked : round.ranked()) {
            json.writeStartObject();
            writeNames(HostName.of(ranked.host()));
            json.writeNumberField("weight", ranked.weight());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeFieldName("selected");
        if (evaluated.selected() == null) {
            json.writeNull();
        } else {
            writeHost(HostName.of(evaluated.selected()));
        }
        json.writeEndObject();
    }

    private void writePreselection(Preselection preselection) throws IOException {
        json.writeObjectFieldStart("preselection");
        json.writeArrayFieldStart("hosts_in");
        for (HostState host : preselection.hostsIn()) {
            writeHost(HostName.of(host));
        }
        json.writeEndArray();
        json.writeArrayFieldStart("hosts_out");
        for (HostState host : preselection.hostsOut()) {
            writeHost(HostName.of(host));
        }
        json.writeEndArray();
        json.writeArrayFieldStart("dropped");
        for (Preselection.Dropped dropped : preselection.dropped()) {
            json.writeStartObject();
            writeNames(dropped.host());
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
        json.writeArrayFieldStart("rejected");
        for (Rejection rejection : step.rejections()) {
            json.writeStartObject();
            writeNames(rejection.host());
            json.writeStringField("reason", rejection.reason().render());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeWeigher(WeigherStep step, List<HostState> weighed) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", step.name());
        json.writeArrayFieldStart("weights");
        for (int i = 0; i < weighed.size(); i++) {
            json.writeStartObject();
            writeNames(HostName.of(weighed.get(i)));
            json.writeNumberField("raw", step.raw()[i]);
            json.writeNumberField("normalized", step.normalized()[i]);
            json.writeNumberField("multiplier", step.multiplier()[i]);
            json.writeNumberField("score", step.score(i));
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private void writeHosts(String name, List<HostName> hosts) throws IOException {
        json.writeArrayFieldStart(name);
        for (HostName host : hosts) {
            writeHost(host);
        }
        json.writeEndArray();
    }

    private void writeHost(HostName host) throws IOException {
        json.writeStartObject();
        writeNames(host);
        json.writeEndObject();
    }

    private void writeNames(HostName host) throws IOException {
        json.writeStringField("host", host.host());
        json.writeStringField("nodename", host.nodename());
    }
}
