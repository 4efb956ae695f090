package io.berth.scheduler.decision.explanation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Round;
import java.io.IOException;

/**
 * Writes the explanation of a decision in brief: the number of hosts of each stage, the first rejections, and the best
 * of the ranking. Writes members into an object that the caller has begun.
 */
public final class BriefDecisionJson {
    /** Maximum number of rejections that are written for a filter; further ones are omitted. */
    private static final int REJECTED_MAX = 5;

    private final JsonGenerator json;
    private final ExplanationMembers stages;

    public BriefDecisionJson(JsonGenerator json) {
        this.json = json;
        this.stages = new ExplanationMembers(json);
    }

    /**
     * Writes {@code result}, {@code error}, {@code instances} and, if {@link NearestMiss#of} finds one, {@code
     * nearest_miss}.
     */
    public void write(Decision decision) throws IOException {
        stages.writeResult(decision);
        JsonLists.writeObjects(json, "instances", decision.rounds(), this::writeRound);
        stages.writeNearestMiss(decision);
    }

    private void writeRound(Decision.Evaluated evaluated) throws IOException {
        Round round = evaluated.round();
        json.writeNumberField("index", round.index());
        json.writeObjectFieldStart("preselection");
        json.writeNumberField("hosts_in", round.preselection().hostCountIn());
        json.writeNumberField("hosts_out", round.preselection().hostCountOut());
        json.writeBooleanField("forced", round.preselection().forced());
        json.writeEndObject();
        JsonLists.writeObjects(json, "filters", round.filters(), step -> {
            json.writeStringField("name", step.name());
            json.writeNumberField("hosts_in", step.hostCountIn());
            json.writeNumberField("hosts_out", step.hostCountOut());
            stages.writeRejected(
                    step.rejections().subList(0, Math.min(REJECTED_MAX, step.rejections().size())));
        });
        stages.writeRanked(round.best());
        stages.writeSelected(evaluated);
    }
}
