package io.berth.scheduler.host.registry.heartbeat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code POST /v1/services/heartbeats}: stores heartbeats of several compute services, for an agent that reports for
 * many services. The versions of their records do not change.
 */
@Path("/v1/services/heartbeats")
public class HeartbeatsEndpoint {
    /** Maximum services in one request; a request with more gets 400. */
    static final int SERVICES_MAX = 1_000;

    private final HeartbeatStore store;

    HeartbeatsEndpoint(HeartbeatStore store) {
        this.store = store;
    }

    /**
     * Stores heartbeats of the services that exist. The response lists the uuids that do not exist as {@code unknown}.
     */
    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public Uni<String> beats(byte[] body) {
        StrictObject object = new StrictObject(JsonBody.ofRequest(body), "$");
        Set<UUID> services = object.uuidTexts("services").stream().map(UUID::fromString).collect(Collectors.toSet());
        object.refuseUnreadMembers();
        if (services.isEmpty() || services.size() > SERVICES_MAX) {
            throw ApiFault.invalid("$.services: must have between 1 and " + SERVICES_MAX + " uuids");
        }
        return store.beat(services).map(unknown -> {
            ObjectNode response = JsonNodeFactory.instance.objectNode();
            unknown.stream().sorted().map(UUID::toString).forEach(response.putArray("unknown")::add);
            return response.toString();
        });
    }
}
