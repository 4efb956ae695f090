package io.berth.scheduler.job;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.Timestamps;
import io.berth.scheduler.json.WrittenJson;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.time.Instant;

/**
 * The state of the cloud to which a response refers.
 *
 * @param replica the replica of placement that answered; null if placement was not queried, or did not name the replica
 * @param fleetVersion version of the fleet, which that replica counts; null if placement was not queried
 * @param registryVersion version of the registry, which this replica of the scheduler counts; higher is later
 * @param time state of the registry, by the database's clock
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
        json.writeStringField("time", Timestamps.text(time));
        json.writeEndObject();
    }
}
