package io.berth.scheduler.planning;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.move.MoveKind;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.UUID;

/**
 * One proposed move.
 *
 * @param request the request with which the instance is moved
 * @param to the destination, with the claimed allocation candidate first in its list
 */
record Step(Movable movable, Movable.Request request, HostState to) {
    /** Returns the memory that the instance holds, in MB. */
    long memoryMb() {
        return movable.heldAmount("MEMORY_MB");
    }

    /** Returns the disk that the move allocates on another provider, in GB; 0 for a disk on the same shared storage. */
    long diskGb() {
        return movable.newAmount("DISK_GB", to.allocationCandidates().getFirst().allocations());
    }

    /**
     * Writes the members of the move into the open object.
     *
     * @param migration uuid of the migration in the call; null: writes no call
     */
    void render(JsonGenerator json, @Nullable UUID migration) throws IOException {
        json.writeStringField("instance", movable.uuid().toString());
        json.writeStringField("from", movable.origin().host());
        json.writeStringField("host", to.host());
        json.writeStringField("nodename", to.nodename());
        json.writeStringField("compute_node_uuid", to.uuid());
        json.writeNumberField("memory_mb", memoryMb());
        json.writeNumberField("disk_gb", diskGb());
        if (request.decision() != null) {
            json.writeStringField("decision_id", request.decision().toString());
        }
        if (migration != null) {
            json.writeFieldName("call");
            json.writeTree(call(migration));
        }
    }

    /**
     * Returns the call that makes the move, with the members {@code service}, {@code method}, {@code path} and
     * {@code body}.
     *
     * @param migration uuid of the migration
     */
    ObjectNode call(UUID migration) {
        ObjectNode call = JsonNodeFactory.instance.objectNode()
                .put("service", "scheduler").put("method", "POST").put("path", "/v1/moves");
        ObjectNode body = call.putObject("body")
                .put("kind", MoveKind.LIVE.wireName())
                .put("instance_uuid", movable.uuid().toString())
                .put("migration_uuid", migration.toString())
                .put("source_compute_node_uuid", movable.origin().provider().toString());
        ObjectNode spec = request.spec().deepCopy();
        spec.putObject("requested_destination").put("host", to.host()).put("node", to.nodename());
        body.set("request_spec", spec);
        return call;
    }
}
