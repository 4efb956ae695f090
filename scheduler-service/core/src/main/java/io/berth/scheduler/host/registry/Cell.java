package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import java.util.UUID;

/**
 * A cell of nova: hosts that share a database and a message queue.
 *
 * @param enabled false: only requests that must stay in this cell may use its hosts
 */
public record Cell(UUID uuid, String name, boolean enabled) implements RegistryRecord {
    static Cell read(UUID uuid, StrictObject body) {
        return new Cell(uuid, HostNames.readRequired(body, "name"), body.flag("enabled", true));
    }
}
