package io.berth.scheduler.drain;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.Timestamps;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * A drain as it is stored.
 *
 * @param userId the user who began the drain; null if unknown
 * @param requestId id of the request that began the drain
 * @param hosts the hosts, in the order in which they are emptied
 */
record StoredDrain(
        String name, DrainBody body, @Nullable String userId, String requestId, Instant begunAt,
        List<DrainedHost> hosts) {
    List<String> hostNames() {
        return hosts.stream().map(DrainedHost::host).toList();
    }

    /** Writes the members that do not change during the drain into the open object. */
    void render(JsonGenerator json) throws IOException {
        json.writeStringField("name", name);
        json.writeFieldName("select");
        json.writeTree(body.select());
        json.writeStringField("reason", body.reason());
        json.writeNumberField("parallel", body.parallel());
        json.writeNumberField("per_host", body.perHost());
        json.writeStringField("user_id", userId);
        json.writeStringField("request_id", requestId);
        json.writeStringField("begun_at", Timestamps.text(begunAt));
    }
}
