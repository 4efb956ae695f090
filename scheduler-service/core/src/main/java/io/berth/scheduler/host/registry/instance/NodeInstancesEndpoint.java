package io.berth.scheduler.host.registry.instance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code PUT /v1/compute_nodes/{uuid}/instances}: replaces the registered instances of a compute node by the list in
 * the body. Does not change instances that Berth is placing, moving or deleting, or has placed or moved recently,
 * because the list may be older.
 * <br>Source: nova {@code scheduler/host_manager.py} (update_instance_info, sync_instance_info).
 */
@Path("/v1/compute_nodes/{uuid}/instances")
@Produces(MediaType.APPLICATION_JSON)
public class NodeInstancesEndpoint {
    /** Maximum instances in one request; a request with more gets 400. */
    private static final int INSTANCES_MAX = 5_000;

    private final NodeInstanceStore store;

    NodeInstancesEndpoint(NodeInstanceStore store) {
        this.store = store;
    }

    @PUT
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> replace(@PathParam("uuid") String text, byte[] body) {
        UUID node = StrictObject.uuidOf(text, "uuid");
        return store.replace(node, read(body)).map(exists -> {
            if (!exists) {
                throw ApiFault.notFound("no record " + node + " in compute_nodes");
            }
            return Response.noContent().build();
        });
    }

    /** Returns each instance's record, without uuid, host and nodename, as JSON text by uuid. */
    private static Map<UUID, String> read(byte[] body) {
        StrictObject object = new StrictObject(JsonBody.ofRequest(body), "$");
        JsonNode listed = object.anyValue("instances");
        if (listed == null) {
            throw object.invalid("instances", "is missing; a node without instances sends an empty list");
        }
        if (listed.size() > INSTANCES_MAX) {
            throw object.invalid("instances", "must not have more than " + INSTANCES_MAX + " elements");
        }
        Map<UUID, String> bodies = LinkedHashMap.newLinkedHashMap(listed.size());
        object.objects("instances", instance -> {
            UUID uuid = instance.requiredUuid("uuid");
            ObjectNode stored = instance.node().deepCopy();
            stored.remove("uuid");
            if (bodies.put(uuid, stored.toString()) != null) {
                throw instance.invalid("uuid", "occurs twice");
            }
            return RegisteredInstance.readRunning(instance);
        });
        object.refuseUnreadMembers();
        return bodies;
    }
}
