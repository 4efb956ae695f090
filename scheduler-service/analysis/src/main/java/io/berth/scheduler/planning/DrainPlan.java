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
 * A plan for emptying hosts.
 *
 * @param hosts the evaluated hosts
 * @param instances the evaluated instances of the hosts, in the order in which they were planned; some may stay
 * @param names names of the instances, by uuid; an instance may have none
 * @param isWhole whether all instances of all hosts were evaluated
 * @param gaps descriptions of what was not evaluated, or may turn out differently, such as random choices; empty: the
 * plan is complete
 */
public record DrainPlan(
        List<Host> hosts, List<Instance> instances, Map<UUID, String> names, boolean isWhole, List<String> gaps) {
    /**
     * A host to be emptied.
     *
     * @param instances number of instances that are registered on the host, without those that have begun to move
     * @param placed number of these instances that have a destination
     * @param left amounts that remain used on the host after the moves, by resource class
     * @param usedByOthers the part of {@code left} that others than the evaluated instances hold: consumers that are
     * not registered instances, instances that have begun to move, and instances that were not evaluated
     * @param providers uuids of all providers in the trees of the host's nodes; empty if placement has none of them
     */
    public record Host(
            String name, int instances, int placed, Map<String, Long> left, Map<String, Long> usedByOthers,
            Set<String> providers) {
        /** Returns whether the host would be empty after the moves. */
        public boolean isEmptied() {
            return left.isEmpty() && placed == instances;
        }
    }

    /**
     * An instance of a host to be emptied.
     *
     * @param to the destination; null: the instance stays
     * @param code why the instance stays, as {@link Mover.Code}; null if the instance moves
     * @param reason why the instance stays, in one sentence; null if the instance moves
     * @param obstacles what excludes hosts as destinations; empty if the instance moves, or stays for another reason
     * @param decision the decision that recorded the request with which the instance is moved; null if the caller
     * provided the request, or no request is known
     * @param memoryMb memory that the instance holds, in MB
     * @param diskGb disk that the move allocates on another provider, in GB; 0 if the instance stays
     */
    public record Instance(
            UUID uuid, Place from, @Nullable Place to, @Nullable String code, @Nullable String reason,
            List<ObstacleCount> obstacles, @Nullable UUID decision, long memoryMb, long diskGb) {
        /** Creates an instance that stays because its compute node does not exist any more. */
        public static Instance ofGoneNode(UUID uuid, String host) {
            return new Instance(
                    uuid, new Place(host, host, null), null, Mover.Code.HOLDS_NOTHING.wireName(),
                    "its compute node on %s is gone: delete the instance's registration if the instance is gone, too"
                            .formatted(host),
                    List.of(), null, 0, 0);
        }

        /**
         * Returns whether the instance stays because it holds no allocations on the host where it is registered, or its
         * compute node does not exist any more.
         */
        public boolean holdsNothing() {
            return Mover.Code.HOLDS_NOTHING.wireName().equals(code);
        }

        /**
         * Writes the members of an instance that stays into the open object.
         *
         * @param name name of the instance; null: none
         */
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

    /**
     * A host of an instance.
     *
     * @param host name of the host
     * @param nodename name of the compute node
     * @param computeNode uuid of the compute node; null if unknown
     */
    public record Place(String host, String nodename, @Nullable String computeNode) {}

    /** Returns the number of instances that have a destination. */
    public int placed() {
        return (int) instances.stream().filter(each -> each.to() != null).count();
    }

    /** Writes the members of the plan into the open object. */
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
        json.writeNumberField("memory_mb",
                instances.stream().filter(each -> each.to() != null).mapToLong(Instance::memoryMb).sum());
        json.writeNumberField("disk_gb",
                instances.stream().filter(each -> each.to() != null).mapToLong(Instance::diskGb).sum());
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
