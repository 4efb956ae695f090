package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.move.MoveKind;
import io.berth.scheduler.move.MoveRequest;
import io.berth.scheduler.selection.SelectionRequest;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/** Reads the body of POST /v1/moves. */
final class MoveBody {
    private MoveBody() {}

    /**
     * Reads and validates the body. Only a move of kind {@code unshelve} may omit the uuids of the source and of the
     * migration; a migration uuid is then generated. Throws ApiFault (400) with the path of the first invalid member.
     *
     * @param userId the user who sent the request; null if unknown
     */
    static MoveRequest read(JsonNode json, @Nullable String userId) {
        StrictObject body = new StrictObject(json, "$");
        MoveKind kind = MoveKind.of(body.oneOf("kind", MoveKind.wireNames()));
        UUID instance = body.requiredUuid("instance_uuid");
        UUID migration = kind.leavesSource() ? body.requiredUuid("migration_uuid") : body.uuid("migration_uuid");
        UUID source = kind.leavesSource()
                ? body.requiredUuid("source_compute_node_uuid")
                : body.uuid("source_compute_node_uuid");
        if (instance.equals(migration)) {
            throw body.invalid("migration_uuid", "must not be the instance's uuid");
        }
        RequestSpecBody request = body.requiredObject("request_spec", object -> request(object, instance));
        body.refuseUnreadMembers();
        return new MoveRequest(
                kind,
                instance,
                migration == null ? UUID.randomUUID() : migration,
                source,
                // The last two values: a move claims its target, and its instance was placed before.
                new SelectionRequest(request.spec(), request.toDerive(), kind.wantsAlternates(), true, true),
                userId);
    }

    private static RequestSpecBody request(StrictObject object, UUID instance) {
        RequestSpecBody request = RequestSpecBody.read(object, () -> instance);
        if (!request.spec().instanceUuids().stream().distinct().toList().equals(List.of(instance.toString()))) {
            throw ApiFault.invalid("$.request_spec: must not name instances other than $.instance_uuid");
        }
        if (request.spec().schedulerHints().asksForRebuildCheck()) {
            throw object.invalid("scheduler_hints", "must not request a rebuild check: a move changes the host");
        }
        return request;
    }
}
