package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.json.DisplayName;
import io.berth.scheduler.json.JsonValues;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.request.ImageProperties;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * A registered instance on its host.
 *
 * @param nodename name of the compute node; null if only the host is known
 * @param running flavor id, image properties and whether the instance is pinned, as decisions read them
 */
public record RegisteredInstance(UUID uuid, String host, @Nullable String nodename, RunningInstance running)
        implements RegistryRecord {
    static RegisteredInstance read(UUID uuid, StrictObject body) {
        return new RegisteredInstance(uuid, HostNames.readRequired(body, "host"), body.text("nodename"),
                readRunning(body));
    }

    /**
     * Reads all members except uuid, host and nodename, and returns those that decisions use. Throws ApiFault (400)
     * with the path of an invalid member.
     */
    public static RunningInstance readRunning(StrictObject body) {
        // Decisions do not use these members; reading them checks them, and permits them in a body.
        body.text("project_id");
        body.text("user_id");
        DisplayName.readOfInstance(body);
        DisplayName.read(body, "project_name");
        DisplayName.read(body, "user_name");
        body.text("flavor_name");
        return running(body);
    }

    /** Reads only the members that decisions use, besides uuid, host and nodename. */
    public static RunningInstance running(StrictObject body) {
        JsonNode properties = body.find("image_properties", StrictObject.OBJECT);
        Map<String, String> metadata = body.map("metadata", StrictObject.TEXT);
        return new RunningInstance(
                body.longOrNull("instance_type_id"),
                properties == null ? null : ImageProperties.read(JsonValues.plainMembers(properties)),
                RunningInstance.saysPinned(metadata.get(RunningInstance.PINNED)));
    }
}
