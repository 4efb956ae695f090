package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.json.StrictObject;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * CRUD of all registered collections: the routes are alike, the bodies are read by {@link Collection}.
 *
 * <p>Every answer carries {@code uuid} and {@code version}. A PUT with a version replaces exactly that version
 * (409 otherwise); one without replaces whatever is there, which is what a reporting compute node wants. A change of a
 * host aggregate is answered when placement has it, or with 202 and what is pending. What a deleted instance holds in
 * placement goes with it.
 */
@Path("/v1/{collection: cells|compute_nodes|services|host_aggregates|server_groups|instances}")
@Produces(MediaType.APPLICATION_JSON)
public class RegistryEndpoint {
    /** Records per page at most, and when the caller names no limit. */
    private static final int PAGE_MAX = 1_000;

    private final RegistryStore store;
    private final PlacementCopy placement;
    private final InstanceRemoval instances;

    RegistryEndpoint(RegistryStore store, PlacementCopy placement, InstanceRemoval instances) {
        this.store = store;
        this.placement = placement;
        this.instances = instances;
    }

    @GET
    public Uni<String> list(
            @PathParam("collection") String route,
            @QueryParam("limit") String limit,
            @QueryParam("marker") String marker) {
        return store.list(Collection.ofRoute(route), marker == null ? null : StrictObject.uuidOf(marker, "marker"), pageSize(limit))
                .map(records -> renderList(route, records));
    }

    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> create(@PathParam("collection") String route, byte[] body) {
        StrictObject given = new StrictObject(JsonBody.parse(body), "$");
        UUID uuid = given.uuid("uuid");
        return put(Collection.ofRoute(route), uuid == null ? UUID.randomUUID() : uuid, given, true);
    }

    @GET
    @Path("/{uuid}")
    public Uni<String> get(@PathParam("collection") String route, @PathParam("uuid") String uuid) {
        return store.find(Collection.ofRoute(route), StrictObject.uuidOf(uuid, "uuid"))
                .onItem().ifNull().failWith(() -> absent(route, uuid))
                .map(RegistryEndpoint::render);
    }

    @PUT
    @Cancellable(false)
    @Path("/{uuid}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> put(@PathParam("collection") String route, @PathParam("uuid") String uuid, byte[] body) {
        StrictObject given = new StrictObject(JsonBody.parse(body), "$");
        UUID inPath = StrictObject.uuidOf(uuid, "uuid");
        UUID inBody = given.uuid("uuid");
        if (inBody != null && !inBody.equals(inPath)) {
            throw ApiFault.invalid("$.uuid: is not the uuid of the path");
        }
        return put(Collection.ofRoute(route), inPath, given, false);
    }

    @DELETE
    @Cancellable(false)
    @Path("/{uuid}")
    public Uni<Response> delete(
            @PathParam("collection") String route, @PathParam("uuid") String uuid, @Context RoutingContext request) {
        Collection collection = Collection.ofRoute(route);
        Uni<Boolean> deleted = collection == Collection.INSTANCES
                ? instances.remove(StrictObject.uuidOf(uuid, "uuid"), RequestId.of(request))
                : store.delete(collection, StrictObject.uuidOf(uuid, "uuid"));
        return deleted.chain(existed -> {
            if (!existed) {
                throw absent(route, uuid);
            }
            return pending(collection, StrictObject.uuidOf(uuid, "uuid")).map(pending -> pending == null
                    ? Response.noContent().build()
                    : Response.status(202).entity("{\"mirror\":" + pending + "}").build());
        });
    }

    private Uni<Response> put(Collection collection, UUID uuid, StrictObject given, boolean mustBeNew) {
        Long version = given.longOrNull("version");
        if (mustBeNew && version != null) {
            throw ApiFault.invalid("$.version: a new record has none");
        }
        collection.read(uuid, given);
        ObjectNode body = given.node().deepCopy();
        body.remove(List.of("uuid", "version"));
        Uni<WriteResult> write = mustBeNew
                ? store.create(collection, uuid, body.toString())
                : store.put(collection, uuid, body.toString(), version);
        return write.chain(result -> switch (result) {
            case WriteResult.Written written -> pending(collection, uuid).map(pending -> Response
                    .status(pending != null ? 202 : written.created() ? 201 : 200)
                    .entity(render(written.record(), pending))
                    .build());
            case WriteResult.VersionConflict _ -> throw new ApiFault(
                    ErrorCode.CONCURRENT_UPDATE, "the stored version is another one; read the record again");
            case WriteResult.Taken taken -> throw new ApiFault(
                    ErrorCode.CONFLICT, "another record has this key already (" + taken.constraint() + ")");
        });
    }

    private Uni<ObjectNode> pending(Collection collection, UUID uuid) {
        return collection == Collection.HOST_AGGREGATES ? placement.pending(uuid) : Uni.createFrom().nullItem();
    }

    private static int pageSize(String limit) {
        if (limit == null) {
            return PAGE_MAX;
        }
        if (!limit.matches("[1-9][0-9]{0,8}")) {
            throw ApiFault.invalid("limit: must be an integer of at least 1");
        }
        return Math.min(PAGE_MAX, Integer.parseInt(limit));
    }

    private static ApiFault absent(String route, String uuid) {
        return ApiFault.notFound("no record " + uuid + " in " + route);
    }

    private static String renderList(String route, List<StoredRecord> records) {
        StringBuilder text = new StringBuilder("{\"").append(route).append("\":[");
        for (int i = 0; i < records.size(); i++) {
            text.append(i == 0 ? "" : ",").append(render(records.get(i)));
        }
        return text.append("]}").toString();
    }

    private static String render(StoredRecord stored) {
        return render(stored, null);
    }

    /** @param mirror of what placement does not hold yet; null to leave that out */
    private static String render(StoredRecord stored, @Nullable ObjectNode mirror) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("uuid", stored.uuid().toString());
        json.put("version", stored.version());
        json.setAll((ObjectNode) JsonBody.parse(stored.body().getBytes(StandardCharsets.UTF_8)));
        if (mirror != null) {
            json.set("mirror", mirror);
        }
        return json.toString();
    }
}
