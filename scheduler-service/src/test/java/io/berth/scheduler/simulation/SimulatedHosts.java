package io.berth.scheduler.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.json.StrictObject;

/** Lets tests of other packages read hosts as simulations do. */
public final class SimulatedHosts {
    private SimulatedHosts() {}

    public static HostState read(JsonNode host) {
        return SimulatedHost.read(new StrictObject(host, "$"));
    }
}
