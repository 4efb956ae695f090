package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.context.CallerContext;
import io.berth.context.WorkerThreads;
import io.berth.scheduler.host.registry.HostKeeper;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RecordRules;
import io.berth.scheduler.host.registry.instance.InstanceNameStore;
import io.berth.scheduler.host.registry.instance.NameLookup;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.berth.scheduler.json.Paging;
import io.berth.scheduler.json.StrictObject;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.annotation.PreDestroy;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * CRUD of all registered collections. All collections have the same routes; {@link RecordCollection} parses their
 * bodies.
 *
 * <p>Every record in a response has the members {@code uuid} and {@code version}; the version is also the
 * {@code ETag}. A PUT whose body has a version replaces only that version (otherwise 409). A PUT or DELETE with
 * {@code If-Match} applies only to a record that matches (otherwise 412). A PUT with neither creates the record or
 * replaces any version, because a compute node that sends its report does not know the version.
 *
 * <p>After a change of a host aggregate, the response waits until placement has the change; if the first attempt to
 * write the change fails, or after a time limit, it is 202 with the pending changes. With {@code ?wait=SECONDS}, the
 * same holds for compute nodes and services ({@link SyncWait}). Deleting an instance releases its allocations in
 * placement. If nova {@linkplain HostKeeper owns} the hosts, only server groups can be changed.
 */
@Path("/v1/{collection: cells|compute_nodes|services|host_aggregates|server_groups|instances}")
@Produces(MediaType.APPLICATION_JSON)
public class RegistryEndpoint {
    /** Maximum requests that wait for the thread that parses bodies of many records; further requests get 503. */
    private static final int BODIES_WAITING_MAX = 32;
    /** Collections that the placement sync copies to placement, and whose host names {@link RecordRules} check. */
    private static final Set<RecordCollection> SYNCED =
            Set.of(RecordCollection.COMPUTE_NODES, RecordCollection.SERVICES, RecordCollection.HOST_AGGREGATES);

    private final RegistryStore store;
    private final InstanceNameStore instanceNames;
    private final PlacementCopy placement;
    private final InstanceRemoval instanceRemoval;
    private final HostKeeper hostKeeper;
    private final RecordRules rules;
    private final RegistryChangeLog changes;
    /** The thread that parses bodies of many records, one at a time, because a body may have a thousand records. */
    private final WorkerThreads bodies = new WorkerThreads(
            "bodies", 1, BODIES_WAITING_MAX,
            () -> new ApiFault(ErrorCode.OVERLOADED, "too many request bodies wait to be read; retry later"));

    RegistryEndpoint(
            RegistryStore store, InstanceNameStore names, PlacementCopy placement, InstanceRemoval instances,
            HostKeeper hosts, RecordRules rules, RegistryChangeLog changes) {
        this.instanceNames = names;
        this.changes = changes;
        this.store = store;
        this.placement = placement;
        this.instanceRemoval = instances;
        this.hostKeeper = hosts;
        this.rules = rules;
    }

    @PreDestroy
    void stop() {
        bodies.stop();
    }

    /** Returns the collection of a route. Throws ApiFault (409) if nova owns its records. */
    private RecordCollection requireChangeable(String route) {
        RecordCollection collection = RecordCollection.ofRoute(route);
        if (hostKeeper.isForeign() && collection != RecordCollection.SERVER_GROUPS) {
            throw new ApiFault(ErrorCode.CONFLICT,
                    route + " belong to nova, because berth.nova.api-database is set; change them in nova");
        }
        return collection;
    }

    @GET
    public Uni<String> list(@PathParam("collection") String route, @Context UriInfo uri) {
        MultivaluedMap<String, String> parameters = uri.getQueryParameters();
        Page page = page(RecordCollection.ofRoute(route), parameters);
        return store.list(RecordCollection.ofRoute(route), page).map(listed -> renderList(route, listed, parameters));
    }

    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> create(
            @PathParam("collection") String route, @QueryParam("wait") String seconds, byte[] body,
            @Context RoutingContext request) {
        RecordCollection collection = requireChangeable(route);
        SyncWait wait = SyncWait.parse(seconds);
        StrictObject object = new StrictObject(JsonBody.ofRequest(body), "$");
        UUID uuid = object.uuid("uuid");
        return put(collection, uuid == null ? UUID.randomUUID() : uuid, object, true, null, wait, request);
    }

    /** Writes all records or none, in one transaction. The response lists the new version of each. */
    @PUT
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> putAll(
            @PathParam("collection") String route, @QueryParam("wait") String seconds, byte[] body,
            @Context RoutingContext request) {
        RecordCollection collection = requireChangeable(route);
        SyncWait wait = SyncWait.parse(seconds);
        Executor caller = CallerContext.executor();
        return bodies.run(caller, () -> RecordWrite.read(collection, body))
                .call(records -> check(collection, records))
                .chain(records -> store.putAll(collection, records)
                        .invoke(all -> all.forEach(written -> changed(request, collection, written)))
                        .chain(all -> wait
                                .awaitPlacement(
                                        placement, collection,
                                        () -> records.stream().map(RecordWrite::record).toList())
                                .map(pending -> Response
                                        .status(pending != null ? 202 : 200)
                                        .entity(renderVersions(route, all))
                                        .build())));
    }

    /** @param uuid uuid of the record; for an instance, uuid or name */
    @GET
    @Path("/{uuid}")
    public Uni<Response> get(@PathParam("collection") String route, @PathParam("uuid") String uuid) {
        RecordCollection collection = RecordCollection.ofRoute(route);
        Uni<UUID> meant = collection == RecordCollection.INSTANCES
                ? NameLookup.uuidOf(uuid, instanceNames::find, "registered")
                : Uni.createFrom().item(StrictObject.uuidOf(uuid, "uuid"));
        return meant
                .chain(each -> store.find(collection, each))
                .onItem().ifNull().failWith(() -> absent(route, uuid))
                .map(stored -> Response.ok(render(stored))
                        .header(HttpHeaders.ETAG, IfMatch.tag(stored.version()))
                        .build());
    }

    @PUT
    @Cancellable(false)
    @Path("/{uuid}")
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> put(
            @PathParam("collection") String route,
            @PathParam("uuid") String uuid,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatch,
            @QueryParam("wait") String seconds,
            byte[] body,
            @Context RoutingContext request) {
        RecordCollection collection = requireChangeable(route);
        SyncWait wait = SyncWait.parse(seconds);
        StrictObject object = new StrictObject(JsonBody.ofRequest(body), "$");
        UUID inPath = StrictObject.uuidOf(uuid, "uuid");
        UUID inBody = object.uuid("uuid");
        if (inBody != null && !inBody.equals(inPath)) {
            throw ApiFault.invalid("$.uuid: is not the uuid of the path");
        }
        return put(collection, inPath, object, false, IfMatch.parse(ifMatch), wait, request);
    }

    @DELETE
    @Cancellable(false)
    @Path("/{uuid}")
    public Uni<Response> delete(
            @PathParam("collection") String route,
            @PathParam("uuid") String uuid,
            @HeaderParam(HttpHeaders.IF_MATCH) String ifMatchHeader,
            @QueryParam("wait") String seconds,
            @Context RoutingContext request) {
        RecordCollection collection = requireChangeable(route);
        SyncWait wait = SyncWait.parse(seconds);
        IfMatch ifMatch = IfMatch.parse(ifMatchHeader);
        UUID deleted = StrictObject.uuidOf(uuid, "uuid");
        if (collection == RecordCollection.INSTANCES) {
            return instanceRemoval.remove(deleted, ifMatch, RequestId.of(request)).map(existed -> {
                if (!existed) {
                    throw absent(route, uuid);
                }
                return Response.noContent().build();
            });
        }
        return store.delete(collection, deleted, ifMatch)
                .map(deletion -> switch (deletion) {
                    case RegistryStore.Deletion.Deleted(String before) -> {
                        changes.recordChange(request, collection, deleted, before, null);
                        yield before;
                    }
                    case RegistryStore.Deletion.Absent _ -> throw absent(route, uuid);
                    case RegistryStore.Deletion.NotMatched _ -> throw notMatched();
                })
                .chain(before -> wait.awaitPlacement(
                        placement, collection,
                        () -> SYNCED.contains(collection)
                                ? List.of(collection.readStored(deleted, new StrictObject(parse(before), "$")))
                                : List.of()))
                .map(pending -> pending == null
                        ? Response.noContent().build()
                        : Response.status(202).entity("{\"placement_sync\":" + pending + "}").build());
    }

    private Uni<Response> put(
            RecordCollection collection, UUID uuid, StrictObject object, boolean mustBeNew, @Nullable IfMatch ifMatch,
            SyncWait wait, RoutingContext request) {
        RecordWrite wanted = RecordWrite.read(collection, uuid, object);
        Long version = wanted.version();
        if (mustBeNew && version != null) {
            throw ApiFault.invalid("$.version: a new record has none");
        }
        Uni<WriteResult> write = mustBeNew
                ? store.create(collection, uuid, wanted.body())
                : store.put(collection, uuid, wanted.body(), version, ifMatch);
        return check(collection, List.of(wanted)).chain(() -> write).invoke(result -> {
            if (result instanceof WriteResult.Written written) {
                changed(request, collection, written);
            }
        }).chain(result -> switch (result) {
            case WriteResult.Written written ->
                wait.awaitPlacement(placement, collection, () -> List.of(wanted.record()))
                        .map(pending -> Response
                                .status(pending != null ? 202 : written.created() ? 201 : 200)
                                .entity(render(written.record(), pending))
                                .header(HttpHeaders.ETAG, IfMatch.tag(written.record().version()))
                                .build());
            case WriteResult.NotMatched _ -> throw notMatched();
            // Without a version in the body, the outdated version is that of If-Match.
            case WriteResult.VersionConflict _ -> throw ifMatch != null && version == null
                    ? notMatched()
                    : new ApiFault(
                            ErrorCode.CONCURRENT_UPDATE, "the stored version is another one; read the record again");
            case WriteResult.Taken taken -> findConflicting(collection, wanted).chain(
                    others -> Uni.createFrom().failure(taken.fault(others)));
        });
    }

    /**
     * Returns the stored record with the uuid of the wanted record, or else the one with the same unique members
     * ({@link RecordWrite#key}); empty for none.
     */
    private Uni<List<StoredRecord>> findConflicting(RecordCollection collection, RecordWrite wanted) {
        Map<String, String> key = wanted.key();
        return store.find(collection, wanted.uuid()).chain(same -> same != null || key.isEmpty()
                ? Uni.createFrom().item(same == null ? List.of() : List.of(same))
                : store.list(collection, new Page(key, "uuid", false, null, 1)).map(RegistryStore.Listed::records));
    }

    /** Checks the rules for host names: fails with ApiFault (409) for a record that violates one. */
    private Uni<Void> check(RecordCollection collection, List<RecordWrite> records) {
        return SYNCED.contains(collection)
                ? rules.check(records.stream().map(RecordWrite::record).toList())
                : Uni.createFrom().voidItem();
    }

    private void changed(RoutingContext request, RecordCollection collection, WriteResult.Written written) {
        StoredRecord record = written.record();
        changes.recordChange(
                request, collection, record.uuid(), written.before(),
                RegistryStore.withoutMembers(collection, record.body()));
    }

    private static ApiFault notMatched() {
        return new ApiFault(ErrorCode.PRECONDITION_FAILED, IfMatch.REFUSAL);
    }

    private static Page page(RecordCollection collection, MultivaluedMap<String, String> parameters) {
        Paging.check(parameters);
        List<String> members = RegistryRow.members(collection);
        Map<String, String> equal = new LinkedHashMap<>();
        members.stream().filter(parameters::containsKey).forEach(name -> equal.put(name, parameters.getFirst(name)));
        String sortKey = oneOf(parameters, "sort_key", Stream.concat(Stream.of("uuid"), members.stream()).toList());
        String direction = oneOf(parameters, "sort_dir", List.of("asc", "desc"));
        return new Page(
                equal, sortKey, direction.equals("desc"), Paging.marker(parameters), Paging.limit(parameters));
    }

    /** Returns the parameter; the first permitted value if it is absent. Throws ApiFault (400) for another value. */
    private static String oneOf(MultivaluedMap<String, String> parameters, String name, List<String> permitted) {
        String value = parameters.getFirst(name);
        if (value != null && !permitted.contains(value)) {
            throw ApiFault.invalid(name + ": must be one of " + String.join(", ", permitted));
        }
        return value == null ? permitted.getFirst() : value;
    }

    private static ApiFault absent(String route, String uuid) {
        return ApiFault.notFound("no record " + uuid + " in " + route);
    }

    /** Renders a page. If it is not the last page, it has a relative link to the next page. */
    private static String renderList(
            String route, RegistryStore.Listed listed, MultivaluedMap<String, String> parameters) {
        List<StoredRecord> records = listed.records();
        StringBuilder text = new StringBuilder("{\"").append(route).append("\":[");
        for (int i = 0; i < records.size(); i++) {
            text.append(i == 0 ? "" : ",").append(render(records.get(i)));
        }
        text.append(']');
        if (listed.hasMore() && !records.isEmpty()) {
            String next = Paging.nextPage(parameters, records.getLast().uuid().toString());
            text.append(",\"").append(route).append("_links\":[{\"rel\":\"next\",\"href\":")
                    .append(TextNode.valueOf(next)).append("}]");
        }
        return text.append('}').toString();
    }

    private static String renderVersions(String route, List<WriteResult.Written> written) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ArrayNode versions = json.putArray(route);
        written.forEach(each -> versions.addObject()
                .put("uuid", each.record().uuid().toString())
                .put("version", each.record().version()));
        return json.toString();
    }

    private static String render(StoredRecord stored) {
        return render(stored, null);
    }

    private static ObjectNode parse(String storedBody) {
        return (ObjectNode) JsonBody.parse(storedBody.getBytes(StandardCharsets.UTF_8));
    }

    /** @param pendingSync changes that placement does not have yet; null to omit the member */
    private static String render(StoredRecord stored, @Nullable ObjectNode pendingSync) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("uuid", stored.uuid().toString());
        json.put("version", stored.version());
        json.setAll(parse(stored.body()));
        if (pendingSync != null) {
            json.set("placement_sync", pendingSync);
        }
        return json.toString();
    }
}
