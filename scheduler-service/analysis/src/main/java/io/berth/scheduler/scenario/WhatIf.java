package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.json.JsonLists;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.planning.DrainPlanner;
import io.berth.scheduler.record.RecordedSelection;
import io.berth.scheduler.response.AnalysisOutcome;
import io.berth.scheduler.scenariochange.DeadlineExceeded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the {@linkplain Part parts} that one body requests, for the present and the changed cloud. For one call, on the
 * analysis worker.
 */
final class WhatIf {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final WhatIfBody body;
    private final List<Part> parts = new ArrayList<>();
    private final Gaps gaps = new Gaps();
    private final ObjectNode before = JsonNodeFactory.instance.objectNode();
    private final ObjectNode after = JsonNodeFactory.instance.objectNode();
    private final ObjectNode difference = JsonNodeFactory.instance.objectNode();

    /** @param recorded recorded requests, the oldest first; used only if the body requests a replay */
    WhatIf(WhatIfBody body, DrainPlanner drains, List<RecordedSelection> recorded) {
        this.body = body;
        if (body.capacity() != null) {
            parts.add(new CapacityPart(body.capacity()));
        }
        if (!body.placements().isEmpty()) {
            parts.add(new PlacementsPart(body.placements()));
        }
        if (body.drain() != null) {
            parts.add(new DrainPart(body.drain(), drains));
        }
        if (body.replay() != null) {
            parts.add(new ReplayPart(recorded, body.replay().limit()));
        }
    }

    /**
     * Computes the response and returns it as JSON. If the deadline passes before all changes are applied, or before
     * the hosts to drain are found, the remaining parts have no results, and a gap says so. Throws the ApiFaults of
     * {@link io.berth.scheduler.scenariochange.ScenarioChanges#applyTo} and of {@link Part}.
     */
    String answer(Snapshot present) {
        try {
            Snapshot changed = body.changes().applyTo(present);
            answer(present, changed);
        } catch (DeadlineExceeded late) {
            gaps.setPlace("changes");
            gaps.add("time: the deadline passed before all changes were applied and the hosts to drain were found");
        }
        if (present.hasFleetChanged()) {
            gaps.setPlace("");
            gaps.add(Snapshot.PLACEMENT_CHANGED);
        }
        return render(present);
    }

    /**
     * Returns the outcome of the response; must be called after {@link #answer(Snapshot)}. The outcome is incomplete if
     * there are gaps. Otherwise it is yes if, after the changes, every drained host would be empty, no request of
     * {@code capacity} fits less often than now, and the requests of {@code placements}, and those of {@code replay},
     * place at least as many instances together as now.
     */
    AnalysisOutcome outcome() {
        boolean isEmptied = after.path("drain").path("hosts").valueStream()
                .allMatch(host -> host.path("emptied").asBoolean());
        boolean isWorse = difference.path("capacity").valueStream().anyMatch(each -> each.path("count").asLong() < 0)
                || difference.path("placements").path("placed").asLong() < 0
                || difference.path("replay").path("instances_placed").asLong() < 0;
        return AnalysisOutcome.of(gaps.all().isEmpty(), isEmptied && !isWorse);
    }

    /**
     * Runs each part for the changed cloud, then for the present cloud; without changes only once, because both results
     * are equal.
     */
    private void answer(Snapshot present, Snapshot changed) {
        int runsLeft = body.changes().isEmpty() ? parts.size() : 2 * parts.size();
        for (Part part : parts) {
            gaps.setPlace("after: " + part.name());
            JsonNode resultAfter = part.evaluate(changed.within(runsLeft--), gaps);
            JsonNode resultBefore = resultAfter;
            if (!body.changes().isEmpty()) {
                gaps.setPlace("before: " + part.name());
                resultBefore = part.evaluate(present.within(runsLeft--), gaps);
            }
            before.set(part.name(), resultBefore);
            after.set(part.name(), resultAfter);
            difference.set(part.name(), part.difference(resultBefore, resultAfter, changed));
        }
    }

    private String render(Snapshot present) {
        return WrittenJson.objectText(json -> {
            present.asOf().render(json);
            json.writeBooleanField("complete", gaps.all().isEmpty());
            JsonLists.writeTexts(json, "gaps", gaps.all());
            json.writeObjectField("before", before);
            json.writeObjectField("after", after);
            json.writeObjectField("difference", difference);
        });
    }

    /** Returns the JSON that {@code value} writes, as a tree. */
    static JsonNode tree(WrittenJson.Writing value) {
        try {
            return JSON.readTree(WrittenJson.bytes(value));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
    }
}
