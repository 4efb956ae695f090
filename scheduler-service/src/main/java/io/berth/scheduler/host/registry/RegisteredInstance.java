package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.UUID;

/**
 * An instance on its host.
 *
 * @param nodename null when only the host is known
 * @param instanceTypeId the flavor's number, null if unknown
 * @param imageProperties raw, an empty object if unknown
 */
public record RegisteredInstance(
        UUID uuid, String host, String nodename, Integer instanceTypeId, JsonNode imageProperties)
        implements RegistryRecord {
    static RegisteredInstance read(UUID uuid, StrictObject body) {
        body.text("project_id");
        body.text("user_id");
        return new RegisteredInstance(
                uuid,
                body.requiredText("host"),
                body.text("nodename"),
                body.integerOrNull("instance_type_id"),
                body.freeObject("image_properties"));
    }
}
