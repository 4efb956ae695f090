package io.berth.scheduler.decision.explanation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.json.JsonNumbers;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.EvaluationError;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Rejection;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;

/**
 * Writes the members that the brief and the full explanation of a decision have in common: {@code result},
 * {@code error}, {@code rejected}, {@code ranked}, {@code selected} and {@code nearest_miss}.
 */
record ExplanationMembers(JsonGenerator json) {
    void writeResult(Decision decision) throws IOException {
        json.writeStringField("result", decision.result().wireName());
        EvaluationError error = decision.error();
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

    void writeRejected(List<Rejection> rejections) throws IOException {
        JsonLists.writeObjects(json, "rejected", rejections, rejection -> {
            writeNames(rejection.host());
            json.writeStringField("code", rejection.reason().code());
            json.writeStringField("reason", rejection.reason().render());
        });
    }

    void writeRanked(List<RankedHost> ranked) throws IOException {
        JsonLists.writeObjects(json, "ranked", ranked, each -> {
            writeNames(HostName.of(each.host()));
            JsonNumbers.write(json, "weight", each.weight());
        });
    }

    void writeSelected(Decision.Evaluated evaluated) throws IOException {
        json.writeFieldName("selected");
        writeHost(evaluated.selected() == null ? null : HostName.of(evaluated.selected()));
    }

    /** Writes {@code nearest_miss}, unless the decision has none. */
    void writeNearestMiss(Decision decision) throws IOException {
        NearestMiss nearest = NearestMiss.of(decision);
        if (nearest != null) {
            json.writeObjectFieldStart("nearest_miss");
            writeNames(nearest.host());
            json.writeStringField("stage", nearest.stage());
            json.writeStringField("reason", nearest.reason().render());
            json.writeEndObject();
        }
    }

    void writeHost(@Nullable HostName host) throws IOException {
        if (host == null) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        writeNames(host);
        json.writeEndObject();
    }

    void writeNames(HostName host) throws IOException {
        json.writeStringField("host", host.host());
        json.writeStringField("nodename", host.nodename());
    }
}
