package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.json.Timestamps;
import io.berth.scheduler.move.Move;
import io.berth.scheduler.move.MoveListStore.ListedMove;
import io.berth.scheduler.move.MoveListStore.Node;
import io.berth.scheduler.move.MoveState;
import jakarta.annotation.Nullable;

/** Renders moves as JSON. */
final class MoveJson {
    private MoveJson() {}

    /** Renders the response to a revert or confirm. */
    static String ofEnded(Move move, MoveState state) {
        return JsonNodeFactory.instance.objectNode()
                .put("migration_uuid", move.migrationUuid().toString())
                .put("instance_uuid", move.instanceUuid().toString())
                .put("kind", move.kind().wireName())
                .put("state", state.stored())
                .toString();
    }

    /**
     * Renders a move, for lists and for single moves. {@code source} and {@code destination} are null if the node is
     * unknown.
     */
    static ObjectNode of(ListedMove move) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("migration_uuid", move.migrationUuid().toString());
        json.put("instance_uuid", move.instanceUuid().toString());
        json.put("instance_name", move.instanceName());
        json.put("kind", move.kind().wireName());
        json.put("state", move.state().stored());
        json.set("source", node(move.source()));
        json.set("destination", node(move.destination()));
        json.put("user_id", move.userId());
        json.put("request_id", move.requestId());
        json.put("begun_at", move.begunAt() == null ? null : Timestamps.text(move.begunAt()));
        json.put("since", Timestamps.text(move.since()));
        return json;
    }

    private static @Nullable ObjectNode node(@Nullable Node node) {
        return node == null
                ? null
                : JsonNodeFactory.instance.objectNode()
                        .put("compute_node_uuid", node.uuid().toString())
                        .put("host", node.host());
    }
}
