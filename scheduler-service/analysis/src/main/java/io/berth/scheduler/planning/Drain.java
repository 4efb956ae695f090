package io.berth.scheduler.planning;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.json.WrittenJson;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The outcome of emptying hosts.
 *
 * @param instances in the order in which they were moved
 * @param names the names of the instances that have one
 * @param isWhole whether all instances of all hosts were evaluated
 * @param gaps the parts that were not evaluated; empty: the result is complete
 */
public record Drain(
        List<Host> hosts, List<Instance> instances, Map<UUID, String> names, boolean isWhole, List<String> gaps) {
    /**
     * @param instances registered there, without those under way
     * @param left amounts that other consumers, or instances that stay, use there; by resource class
     * @param ofOthers the amounts of consumers other than those instances
     * @param providers of the trees of its nodes; none if placement knows none
     */
    public record Host(
            String name, int instances, int placed, Map<String, Long> left, Map<String, Long> ofOthers,
            Set<String> providers) {
        public boolean isEmptied() {
            return left.isEmpty() && placed == instances;
        }
    }

    /**
     * @param to null: it stays
     * @param reason why it stays, one sentence; null for one that goes
     * @param decision whose request it is moved with; null if the caller gave the request, or none is known
     * @param memoryMb that it holds
     * @param diskGb that goes to another provider
     */
    public record Instance(
            UUID uuid, Place from, @Nullable Place to, @Nullable String code, @Nullable String reason,
            List<Obstacles> obstacles, @Nullable UUID decision, long memoryMb, long diskGb) {
        /** Returns an instance that stays because the node on which it is registered is gone. */
        public static Instance ofGoneNode(UUID uuid, String host) {
            return new Instance(
                    uuid, new Place(host, host, null), null, Mover.Code.HOLDS_NOTHING.wireName(),
                    "its compute node on %s is gone; delete the instance's registration if it is gone, too".formatted(host),
                    List.of(), null, 0, 0);
        }

        /** Returns whether it holds nothing on the host where it is registered. */
        public boolean holdsNothing() {
            return Mover.Code.HOLDS_NOTHING.wireName().equals(code);
        }

        /** Writes the members of one that stays. */
        public void renderStay(JsonGenerator json, @Nullable String name) throws IOException {
            json.writeStringField("instance", uuid.toString());
            WrittenJson.writeIfAny(json, "name", name);
            json.writeStringField("from", from.host());
            json.writeStringField("code", code);
            json.writeStringField("reason", reason);
            JsonLists.writeObjects(json, "obstacles", obstacles, obstacle -> {
                json.writeStringField("stage", obstacle.stage());
                json.writeStringField("by", obstacle.by());
                json.writeStringField("code", obstacle.code());
                json.writeNumberField("hosts", obstacle.hosts());
            });
            WrittenJson.writeIfAny(json, "decision_id", decision == null ? null : decision.toString());
        }
    }

    public record Place(String host, String nodename, @Nullable String computeNode) {}

    public int placed() {
        return (int) instances.stream().filter(each -> each.to() != null).count();
    }

    /** Writes members into the object that is open. */
    public void render(JsonGenerator json) throws IOException {
        JsonLists.writeObjects(json, "hosts", hosts, host -> {
            json.writeStringField("host", host.name());
            json.writeNumberField("instances", host.instances());
            json.writeNumberField("placed", host.placed());
            json.writeBooleanField("emptied", host.isEmptied());
            json.writeObjectFieldStart("left");
            WrittenJson.writeNumbers(json, host.left());
            json.writeEndObject();
        });
        json.writeNumberField("placed", placed());
        json.writeNumberField("not_placed", instances.size() - placed());
        json.writeNumberField("memory_mb", instances.stream().filter(each -> each.to() != null).mapToLong(Instance::memoryMb).sum());
        json.writeNumberField("disk_gb", instances.stream().filter(each -> each.to() != null).mapToLong(Instance::diskGb).sum());
        JsonLists.writeObjects(json, "instances", instances, instance -> write(json, instance));
    }

    private void write(JsonGenerator json, Instance instance) throws IOException {
        if (instance.to() == null) {
            json.writeNullField("host");
            instance.renderStay(json, names.get(instance.uuid()));
            return;
        }
        json.writeStringField("instance", instance.uuid().toString());
        WrittenJson.writeIfAny(json, "name", names.get(instance.uuid()));
        json.writeStringField("from", instance.from().host());
        json.writeStringField("host", instance.to().host());
        json.writeStringField("nodename", instance.to().nodename());
        json.writeStringField("compute_node_uuid", instance.to().computeNode());
        if (instance.decision() != null) {
            json.writeStringField("decision_id", instance.decision().toString());
        }
    }
}
