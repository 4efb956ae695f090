package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import java.util.UUID;

/**
 * A cell: hosts that share a database and a message bus.
 *
 * @param enabled hosts of a disabled cell are only used when a request names the cell
 */
public record Cell(UUID uuid, String name, boolean enabled) implements RegistryRecord {
    static Cell read(UUID uuid, StrictObject body) {
        return new Cell(uuid, HostNames.one(body, "name"), body.flag("enabled", true));
    }
}
