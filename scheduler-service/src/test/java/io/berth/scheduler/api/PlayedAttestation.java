package io.berth.scheduler.api;

import io.berth.scheduler.legacy.attestation.AttestationServer;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.util.Map;

/** Runs a simulated attestation service and adds TrustedFilter to the default filters. */
public final class PlayedAttestation implements QuarkusTestResourceLifecycleManager {
    private static AttestationServer server;

    static AttestationServer server() {
        return server;
    }

    @Override
    public Map<String, String> start() {
        server = AttestationServer.plain();
        return Map.of(
                "berth.scheduler.trusted-computing.attestation-server", "http://127.0.0.1",
                "berth.scheduler.trusted-computing.attestation-port", String.valueOf(server.port()),
                "berth.scheduler.filter-scheduler.enabled-filters",
                "ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,"
                        + "ServerGroupAffinityFilter,TrustedFilter");
    }

    @Override
    public void stop() {
        server.close();
    }
}
