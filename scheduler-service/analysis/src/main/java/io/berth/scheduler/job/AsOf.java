package io.berth.scheduler.job;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.Moments;
import io.berth.scheduler.json.WrittenJson;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.time.Instant;

/**
 * The state of the cloud to which a response refers.
 *
 * @param replica of placement; null if placement was not queried, or does not name it
 * @param fleetVersion by that replica's count; null if placement was not queried
 * @param registryVersion by this replica's count: higher is later
 * @param time of the registry, by the database's clock
 */
public record AsOf(@Nullable String replica, @Nullable Long fleetVersion, long registryVersion, Instant time) {
    /** Writes the member {@code as_of}. */
    public void render(JsonGenerator json) throws IOException {
        json.writeObjectFieldStart("as_of");
        if (fleetVersion != null) {
            json.writeNumberField("fleet_version", fleetVersion);
        }
        WrittenJson.writeIfAny(json, "replica", replica);
        json.writeNumberField("registry_version", registryVersion);
        json.writeStringField("time", Moments.text(time));
        json.writeEndObject();
    }
}
