package io.berth.scheduler.job;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.Timestamps;
import io.berth.scheduler.json.WrittenJson;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.time.Instant;

/**
 * The state of the cloud to which a response refers. If placement's data changed during the analysis, {@code replica}
 * and {@code fleetVersion} are those of placement's first response.
 *
 * @param replica the replica of placement that responded; null if placement was not queried, empty if it did not name
 * its replica
 * @param fleetVersion version of placement's fleet, as counted by this replica of placement; null if placement was not
 * queried
 * @param registryVersion version of the registry, as counted by this replica of the scheduler; higher is later
 * @param time when the registry had this state, by the database's clock
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
