package io.berth.scheduler.drain;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.drain.MovesUnderWay.Moving;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.job.AsOf;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.planning.Drain;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * How far a drain is.
 *
 * @param names of instances that have one
 * @param commands for nova; null if Berth keeps the services
 * @param gaps what was not evaluated
 */
record DrainProgress(
        AsOf asOf, DrainState state, Counts counts, List<Host> hosts, List<Drain.Instance> stuck,
        List<Leaving> underWay, Map<UUID, String> names, @Nullable List<String> commands, List<String> gaps) {
    /**
     * Numbers of instances.
     *
     * @param start on the hosts when the drain began
     * @param moved of these, registered on other hosts now
     * @param gone of these, no longer registered
     * @param arrived on the hosts, registered there since
     * @param remaining on the hosts, and not under way
     * @param stuck of the remaining, without a destination
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
     * @param disabled whether its service is disabled now
     * @param vanished whether neither the registry nor placement has the host any more; null if that is unknown
     * @param remaining instances on it that are not under way
     * @param left what consumers use there that are neither registered instances nor moves under way, by resource
     *     class; null if that is unknown
     */
    record Host(
            DrainedHost host, boolean disabled, @Nullable Boolean vanished, int remaining,
            @Nullable Map<String, Long> left) {
        static boolean isDisabled(String host, RegistrySnapshot registry) {
            ComputeService service = registry.findService(host);
            return service != null && service.disabled();
        }

        private void render(JsonGenerator json) throws IOException {
            json.writeStringField("host", host.host());
            json.writeStringField("service", host.deed().wireName());
            json.writeBooleanField("disabled", disabled);
            if (vanished != null) {
                json.writeBooleanField("vanished", vanished);
            }
            json.writeNumberField("remaining", remaining);
            if (left != null) {
                json.writeObjectFieldStart("left");
                WrittenJson.writeNumbers(json, left);
                json.writeEndObject();
            }
        }
    }

    /** @param move null if the instance is moved without {@code POST /v1/moves} */
    record Leaving(UUID instance, String host, @Nullable Moving move) {}

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

    private void write(JsonGenerator json, Leaving each) throws IOException {
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
