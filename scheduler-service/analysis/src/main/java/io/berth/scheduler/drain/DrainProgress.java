package io.berth.scheduler.drain;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.drain.MovesUnderWay.MoveInProgress;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.job.AsOf;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.planning.DrainPlan;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The progress of a drain.
 *
 * @param stuck instances on the hosts that cannot move: no destination was found, or their compute node does not exist
 * any more
 * @param underWay instances that have begun to move
 * @param names names of the instances, by uuid; an instance may have none
 * @param commands commands for nova that disable those of the hosts' services that are not disabled yet; null if Berth
 * manages the services
 * @param gaps descriptions of what was not evaluated
 */
record DrainProgress(
        AsOf asOf, DrainState state, Counts counts, List<Host> hosts, List<DrainPlan.Instance> stuck,
        List<LeavingInstance> underWay, Map<UUID, String> names, @Nullable List<String> commands, List<String> gaps) {
    /**
     * Numbers of instances.
     *
     * @param start instances that were on the hosts when the drain began
     * @param moved instances of {@code start} that are registered on other hosts now
     * @param gone instances of {@code start} that are not registered any more
     * @param arrived instances on the hosts that were not there when the drain began
     * @param underWay instances that have begun to move
     * @param remaining instances on the hosts that have not begun to move
     * @param stuck instances of {@code remaining} that cannot move, see {@link DrainProgress#stuck}
     */
    record Counts(int start, int moved, int gone, int arrived, int underWay, int remaining, int stuck) {
        private void render(JsonGenerator json) throws IOException {
            json.writeNumberField("start", start);
            json.writeNumberField("moved", moved);
            json.writeNumberField("under_way", underWay);
            json.writeNumberField("remaining", remaining);
            json.writeNumberField("stuck", stuck);
            json.writeNumberField("gone", gone);
            json.writeNumberField("arrived", arrived);
        }
    }

    /**
     * A host of the drain. It was not evaluated if the time was up, or the plan has its maximum of instances.
     *
     * @param host the host as it was when the drain began
     * @param disabled whether the service of the host is disabled now
     * @param vanished whether placement has no provider of the host any more; null if the host was not evaluated
     * @param remaining number of instances on the host that have not begun to move
     * @param otherUse amounts that consumers other than registered instances and moves in progress use on the host, by
     * resource class; null if the host was not evaluated
     */
    record Host(
            DrainedHost host, boolean disabled, @Nullable Boolean vanished, int remaining,
            @Nullable Map<String, Long> otherUse) {
        static boolean isDisabled(String host, RegistrySnapshot registry) {
            ComputeService service = registry.findService(host);
            return service != null && service.disabled();
        }

        private void render(JsonGenerator json) throws IOException {
            json.writeStringField("host", host.host());
            json.writeStringField("service", host.serviceAction().wireName());
            json.writeBooleanField("disabled", disabled);
            if (vanished != null) {
                json.writeBooleanField("vanished", vanished);
            }
            json.writeNumberField("remaining", remaining);
            if (otherUse != null) {
                json.writeObjectFieldStart("left");
                WrittenJson.writeNumbers(json, otherUse);
                json.writeEndObject();
            }
        }
    }

    /**
     * An instance that has begun to move.
     *
     * @param host name of the host that the instance leaves
     * @param move the move; null if the instance is moved without {@code POST /v1/moves}
     */
    record LeavingInstance(UUID instance, String host, @Nullable MoveInProgress move) {}

    void render(JsonGenerator json) throws IOException {
        asOf.render(json);
        json.writeStringField("state", state.wireName());
        json.writeObjectFieldStart("instances");
        counts.render(json);
        json.writeEndObject();
        JsonLists.writeObjects(json, "hosts", hosts, host -> host.render(json));
        JsonLists.writeObjects(json, "stuck", stuck, each -> each.renderStay(json, names.get(each.uuid())));
        JsonLists.writeObjects(json, "under_way", underWay, each -> write(json, each));
        if (commands != null) {
            JsonLists.writeTexts(json, "commands", commands);
        }
        json.writeBooleanField("complete", gaps.isEmpty());
        JsonLists.writeTexts(json, "gaps", gaps);
    }

    private void write(JsonGenerator json, LeavingInstance each) throws IOException {
        json.writeStringField("instance", each.instance().toString());
        WrittenJson.writeIfAny(json, "name", names.get(each.instance()));
        json.writeStringField("from", each.host());
        if (each.move() != null) {
            json.writeStringField("migration_uuid", each.move().move().migration().toString());
            json.writeStringField("kind", each.move().move().kind().wireName());
            json.writeStringField("state", each.move().move().state().stored());
        }
    }
}
