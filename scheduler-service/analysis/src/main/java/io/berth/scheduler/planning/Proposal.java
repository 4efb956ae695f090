package io.berth.scheduler.planning;

import io.berth.json.JsonLists;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.WrittenJson;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Moves that reach a goal, or bring it nearer.
 *
 * @param goal name of the goal, as in the body
 * @param reached whether the moves reach the goal
 * @param course the moves, the cloud after them, and the instances that were tried and stay
 * @param gain writes the members of the object {@code gain}
 * @param binding writes the members of {@code binding}: the obstacles that prevent a better result
 * @param gaps descriptions of what was not evaluated
 */
record Proposal(
        String goal, boolean reached, ProposedMoves course, WrittenJson.Writing gain, WrittenJson.Writing binding,
        List<String> gaps) {
    /** Returns the instances that the proposal mentions: those that move, and those that were tried and stay. */
    List<UUID> instances() {
        return Stream.concat(
                course.steps().stream().map(step -> step.movable().uuid()),
                course.stays().stream().map(ProposedMoves.Stay::instance)).toList();
    }

    /**
     * Returns the JSON response. Each move gets a new migration uuid for its call.
     *
     * @param names names of instances by uuid; instances without a name are missing
     */
    byte[] render(Snapshot snapshot, Map<UUID, String> names) {
        return WrittenJson.objectBytes(json -> {
            snapshot.asOf().render(json);
            json.writeStringField("goal", goal);
            json.writeBooleanField("reached", reached);
            JsonLists.writeObjects(json, "moves", course.steps(), step -> {
                step.render(json, UUID.randomUUID());
                WrittenJson.writeIfAny(json, "name", names.get(step.movable().uuid()));
            });
            json.writeObjectFieldStart("cost");
            json.writeNumberField("moves", course.steps().size());
            json.writeNumberField("memory_mb", course.steps().stream().mapToLong(Step::memoryMb).sum());
            json.writeNumberField("disk_gb", course.steps().stream().mapToLong(Step::diskGb).sum());
            json.writeEndObject();
            json.writeObjectFieldStart("gain");
            gain.write(json);
            json.writeEndObject();
            json.writeObjectFieldStart("binding");
            binding.write(json);
            json.writeEndObject();
            JsonLists.writeObjects(json, "stays", course.stays(), stay -> {
                json.writeStringField("instance", stay.instance().toString());
                WrittenJson.writeIfAny(json, "name", names.get(stay.instance()));
                json.writeStringField("from", stay.host());
                json.writeStringField("code", stay.code().wireName());
                json.writeStringField("reason", stay.reason());
            });
            json.writeBooleanField("complete", gaps.isEmpty());
            JsonLists.writeTexts(json, "gaps", gaps);
        });
    }
}
