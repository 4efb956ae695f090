package io.berth.placement.provider;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.context.CallerContext;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.ErrorCode;
import io.berth.placement.http.LongBody;
import io.berth.placement.http.LongLists;
import io.berth.placement.http.ResponseWorkers;
import io.berth.placement.http.Responses;
import io.berth.placement.http.Schema;
import io.berth.placement.query.UuidText;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The routes {@code /resource_providers} and {@code /resource_providers/{uuid}}: list, show and change resource
 * providers. Source: upstream api-ref, "resource providers".
 */
@Startup
@Singleton
@Path("/resource_providers")
public final class ProvidersEndpoint {
    private static final Schema.Versions QUERY_SCHEMAS = Schema.loadSince("resource-providers", 0, 3, 4, 14, 18);
    private static final Schema.Versions POST_SCHEMAS = Schema.loadSince("resource-provider-post", 0, 14);
    private static final Schema.Versions PUT_SCHEMAS = Schema.loadSince("resource-provider-put", 0, 14);

    private final FleetFeed feed;
    private final ProviderStore store;
    private final ResponseWorkers workers;
    private final BodyWorker bodyWorker;
    private final LongLists lists;

    ProvidersEndpoint(
            FleetFeed feed, ProviderStore store, ResponseWorkers workers, BodyWorker bodyWorker, LongLists lists) {
        this.bodyWorker = bodyWorker;
        this.feed = feed;
        this.store = store;
        this.workers = workers;
        this.lists = lists;
    }

    @GET
    public Uni<Response> list(@Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:list");
        QUERY_SCHEMAS.at(call.version()).checkQuery(call.query());
        ProviderQuery query = ProviderQuery.parse(call);
        Executor caller = CallerContext.executor();
        return feed.fresh().chain(view -> {
            var search = new ProviderSearch(view, query);
            return search.costsAtMost(LongLists.AT_ONCE_MAX)
                    ? Uni.createFrom().item(() -> listResponse(call, view, search, http))
                    : workers.run(caller, () -> listResponse(call, view, search, http)).invoke(this::reserveMemory);
        });
    }

    private static Response listResponse(Call call, FleetView view, ProviderSearch search, RoutingContext http) {
        List<Provider> found = search.run();
        long latestMs = found.stream().mapToLong(Provider::updatedAtMs).max().orElseGet(System::currentTimeMillis);
        if (found.size() <= LongLists.AT_ONCE_MAX) {
            return Responses.ok(call, ProviderJson.list(view, found, call), latestMs);
        }
        var body = new LongBody(
                http, (long) found.size() * LongLists.REFERENCE_BYTES,
                () -> ProviderJson.listChunks(view, found, call));
        return Responses.ok(call, body, latestMs);
    }

    /**
     * Reserves the memory of a long list until the client has read it; other responses need no reservation. Must run on
     * the event loop; therefore {@link #list} calls it after the worker has finished, and {@link #listResponse}, which
     * may run on a worker, does not.
     */
    private void reserveMemory(Response response) {
        if (response.getEntity() instanceof LongBody body) {
            body.reserveMemory(lists);
        }
    }

    @POST
    @Cancellable(false)
    public Uni<Response> create(byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).requireJson().allow("placement:resource_providers:create");
        return bodyWorker.run(body, () -> create(call, body));
    }

    private Uni<Response> create(Call call, byte[] body) {
        JsonNode request = POST_SCHEMAS.at(call.version()).parse(body);
        String name = request.get("name").textValue();
        // Never null: the schema accepts only uuids that parseLenient accepts, too.
        UUID uuid = request.has("uuid")
                ? Objects.requireNonNull(UuidText.parseLenient(request.get("uuid").textValue()))
                : UUID.randomUUID();
        String parent = request.path("parent_provider_uuid").textValue();
        if (name.isEmpty()) {
            throw notCreated(name, uuid, "name is required");
        }
        if (uuid.toString().equals(parent)) {
            throw notCreated(name, uuid, "parent provider UUID cannot be same as UUID. "
                    + "Please set parent provider UUID to None if there is no parent.");
        }
        return feed.fresh()
                .chain(view -> create(view, uuid, name, parent))
                .chain(outcome -> outcome instanceof ProviderOutcome.Taken
                        ? feed.fresh().map(freshView -> creationResponse(call, freshView, uuid, name, outcome))
                        : Uni.createFrom().item(() -> creationResponse(call, null, uuid, name, outcome)));
    }

    private Uni<ProviderOutcome> create(FleetView view, UUID uuid, String name, @Nullable String parent) {
        Provider parentProvider = parent == null ? null : KnownProvider.find(view, parent);
        if (parent != null && parentProvider == null) {
            return Uni.createFrom().item(new ProviderOutcome.NoSuchParent());
        }
        if (view.find(name) != null || view.find(uuid) != null) {
            return Uni.createFrom().item(new ProviderOutcome.Taken());
        }
        return parentProvider == null
                ? store.createRoot(uuid, name)
                : store.createChild(uuid, name, parentProvider.id());
    }

    /**
     * Returns the response to a creation.
     *
     * @param freshView if the result is {@link ProviderOutcome.Taken}, a view with the provider that has the name or
     *         uuid; otherwise null
     */
    private static Response creationResponse(
            Call call, @Nullable FleetView freshView, UUID uuid, String name, ProviderOutcome outcome) {
        return switch (outcome) {
            case ProviderOutcome.Done done -> {
                var reply = call.atLeast(20)
                        ? Responses.json(
                                call, 200, ProviderJson.one(done.provider(), call), 20,
                                done.provider().updatedAtMs())
                        : Response.status(201);
                yield reply.header("Location", call.absoluteUrl("/resource_providers/" + uuid)).build();
            }
            // If both the name and the uuid are taken, the message states the name.
            case ProviderOutcome.Taken _ -> throw alreadyExists(
                    freshView != null && freshView.find(name) != null ? "name: " + name : "uuid: " + uuid);
            case ProviderOutcome.NoSuchParent _ -> throw notCreated(name, uuid, "parent provider UUID does not exist.");
            case ProviderOutcome.Gone _, ProviderOutcome.ReparentingRefused _, ProviderOutcome.UnparentingRefused _,
                    ProviderOutcome.Loop _ -> throw new IllegalStateException("a creation can't end as " + outcome);
        };
    }

    private static ApiException notCreated(String name, UUID uuid, String reason) {
        return ApiException.badRequest("Unable to create resource provider \"" + name + "\", " + uuid
                + ": Object action create failed because: " + reason);
    }

    private static ApiException alreadyExists(String what) {
        return new ApiException(
                409, ErrorCode.DUPLICATE_NAME, "Conflicting resource provider " + what + " already exists.");
    }

    @GET
    @Path("/{uuid}")
    public Uni<Response> show(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().allow("placement:resource_providers:show");
        return feed.fresh().map(view -> {
            var provider = ResourceProvider.of(view, KnownProvider.get(view, uuid));
            return Responses.ok(call, ProviderJson.one(provider, call), provider.updatedAtMs());
        });
    }

    @PUT
    @Cancellable(false)
    @Path("/{uuid}")
    public Uni<Response> update(@PathParam("uuid") String uuid, byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).requireJson().allow("placement:resource_providers:update");
        return feed.fresh().emitOn(bodyWorker.executorFor(body)).chain(view -> {
            Provider provider = KnownProvider.getForUpdate(view, uuid);
            JsonNode request = PUT_SCHEMAS.at(call.version()).parse(body);
            String name = request.get("name").textValue();
            TreeMove move = requestedMove(view, uuid, request.get("parent_provider_uuid"));
            // Below microversion 1.37, a provider that has a parent keeps it.
            boolean isParentFinal = !call.atLeast(37);
            return store.update(provider.id(), name, move, isParentFinal)
                    .map(outcome -> updateResponse(call, uuid, name, outcome));
        });
    }

    private static TreeMove requestedMove(FleetView view, String uuid, JsonNode parent) {
        if (parent == null) {
            return new TreeMove.Unchanged();
        }
        if (parent.isNull()) {
            return new TreeMove.Root();
        }
        Provider parentProvider = KnownProvider.find(view, parent.textValue());
        if (parentProvider == null) {
            // Upstream's message says "create" here, too.
            throw notSaved(uuid, "create", "parent provider UUID does not exist.");
        }
        return new TreeMove.Below(parentProvider.id());
    }

    private static Response updateResponse(Call call, String uuid, String name, ProviderOutcome outcome) {
        return switch (outcome) {
            case ProviderOutcome.Done done ->
                Responses.ok(call, ProviderJson.one(done.provider(), call), done.provider().updatedAtMs());
            case ProviderOutcome.Gone _ -> throw KnownProvider.noSuchProvider(uuid);
            // Unlike that of a creation, upstream's message of an update has no "name: ".
            case ProviderOutcome.Taken _ -> throw alreadyExists(name);
            case ProviderOutcome.NoSuchParent _ ->
                throw notSaved(uuid, "create", "parent provider UUID does not exist.");
            case ProviderOutcome.ReparentingRefused _ ->
                throw notSaved(uuid, "update", "re-parenting a provider is not currently allowed.");
            case ProviderOutcome.UnparentingRefused _ ->
                throw notSaved(uuid, "update", "un-parenting a provider is not currently allowed.");
            case ProviderOutcome.Loop _ ->
                throw notSaved(uuid, "update", "creating loop in the provider tree is not allowed.");
        };
    }

    private static ApiException notSaved(String uuid, String action, String reason) {
        return ApiException.badRequest(
                "Unable to save resource provider " + uuid + ": Object action " + action + " failed because: "
                        + reason);
    }

    @DELETE
    @Cancellable(false)
    @Path("/{uuid}")
    public Uni<Response> delete(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        Call.of(http).allow("placement:resource_providers:delete");
        return feed.fresh().chain(view -> {
            Provider provider = KnownProvider.find(view, uuid);
            Uni<ProviderDeletion> deletion =
                    provider == null ? Uni.createFrom().item(new ProviderDeletion.Gone()) : store.delete(provider.id());
            return deletion.map(result -> deletionResponse(uuid, result));
        });
    }

    private static Response deletionResponse(String uuid, ProviderDeletion result) {
        return switch (result) {
            case ProviderDeletion.Deleted _ -> Responses.noContent();
            case ProviderDeletion.Gone _ ->
                throw ApiException.notFound("No resource provider with uuid " + uuid + " found for delete");
            case ProviderDeletion.HasChildren _ -> throw new ApiException(
                    409, ErrorCode.PROVIDER_CANNOT_DELETE_PARENT,
                    "Unable to delete parent resource provider " + uuid + ": It has child resource providers.");
            case ProviderDeletion.HasAllocations _ -> throw new ApiException(
                    409, ErrorCode.PROVIDER_IN_USE,
                    "Unable to delete resource provider " + uuid + ": Resource provider has allocations.");
        };
    }
}
