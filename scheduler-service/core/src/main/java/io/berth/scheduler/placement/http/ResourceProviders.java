package io.berth.scheduler.placement.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.placement.OverviewResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProviderResult;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.UUID;

/**
 * Reads and writes resource providers of placement, and creates traits and resource classes. No method fails its
 * {@code Uni} because of placement or the network. A write of a {@link Part} names the generation that the caller has
 * read, so that it does not overwrite what another client has written since. A caller whose write had no response must
 * read the provider again.
 */
@Singleton
public class ResourceProviders {
    /** The properties of a provider, each of which one write replaces as a whole. */
    public enum Part {
        TRAITS,
        AGGREGATES,
        INVENTORIES;

        private String route() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final PlacementHttp http;

    ResourceProviders(PlacementHttp http) {
        this.http = http;
    }

    /** GET /resource_providers?name=. The array {@code resource_providers} of the response has one element or none. */
    public Uni<ProviderResult> findByName(String name, String requestId) {
        return read("/resource_providers?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8), requestId);
    }

    /** GET /resource_providers?required=: all providers with a trait. */
    public Uni<ProviderResult> findByTrait(String trait, String requestId) {
        return read("/resource_providers?required=" + trait, requestId);
    }

    /** POST /resource_providers: creates a root provider. */
    public Uni<ProviderResult> create(UUID uuid, String name, String requestId) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("uuid", uuid.toString()).put("name", name);
        return write(HttpMethod.POST, "/resource_providers", body, requestId);
    }

    /** GET /berth/v1/fleet: all trees in columnar form, one list per attribute with one element per tree. */
    public Uni<OverviewResult> overview(String requestId) {
        return PlacementState.overview(
                http.repeatable(HttpMethod.GET, "/berth/v1/fleet", PlacementClient.MICROVERSION, requestId));
    }

    /** GET /berth/v1/fleet/{provider}: the providers of the tree that contains this provider, the root first. */
    public Uni<ProviderResult> tree(UUID provider, String requestId) {
        return read("/berth/v1/fleet/" + provider, requestId);
    }

    /** GET /resource_providers/{uuid}/allocations: the allocations of each consumer on this provider. */
    public Uni<ProviderResult> allocationsOn(UUID provider, String requestId) {
        return read("/resource_providers/" + provider + "/allocations", requestId);
    }

    /** GET /resource_providers/{uuid}/{part}. */
    public Uni<ProviderResult> read(UUID provider, Part part, String requestId) {
        return read(path(provider, part), requestId);
    }

    /**
     * PUT /resource_providers/{uuid}/{part}.
     *
     * @param body with the generation of the provider that the caller has read
     */
    public Uni<ProviderResult> write(UUID provider, Part part, ObjectNode body, String requestId) {
        return write(HttpMethod.PUT, path(provider, part), body, requestId);
    }

    /** PUT /traits/{name}: creates a trait unless it exists. */
    public Uni<ProviderResult> ensureTrait(String customName, String requestId) {
        return write(HttpMethod.PUT, "/traits/" + customName, null, requestId);
    }

    /** PUT /resource_classes/{name}: creates a resource class unless it exists. */
    public Uni<ProviderResult> ensureResourceClass(String customName, String requestId) {
        return write(HttpMethod.PUT, "/resource_classes/" + customName, null, requestId);
    }

    private static String path(UUID provider, Part part) {
        return "/resource_providers/" + provider + "/" + part.route();
    }

    private Uni<ProviderResult> read(String path, String requestId) {
        return http.repeatable(HttpMethod.GET, path, PlacementClient.MICROVERSION, requestId)
                .map(ResourceProviders::answer)
                .onFailure().recoverWithItem(ResourceProviders::failure);
    }

    private Uni<ProviderResult> write(HttpMethod method, String path, @Nullable ObjectNode body, String requestId) {
        Buffer bytes = body == null ? null : Buffer.buffer(body.toString());
        return http.once(method, path, PlacementClient.MICROVERSION, bytes, requestId)
                .map(ResourceProviders::answer)
                .onFailure().recoverWithItem(ResourceProviders::failure);
    }

    private static ProviderResult answer(PlacementHttp.Response answer) {
        int status = answer.status();
        if (status >= 200 && status < 300) {
            return done(answer.body().getBytes());
        }
        if (status == 404) {
            return new ProviderResult.Absent();
        }
        String refusesUs = answer.credentialsRefusal();
        if (refusesUs != null) {
            return new ProviderResult.Unreachable(refusesUs);
        }
        PlacementRefusal refusal = PlacementRefusal.parse(answer.body().getBytes());
        return refusal.isConcurrentUpdate()
                ? new ProviderResult.GenerationConflict(refusal.detail())
                : new ProviderResult.Refused(status, refusal.detail());
    }

    private static ProviderResult done(byte[] body) {
        if (body.length == 0) {
            return new ProviderResult.Done(JsonNodeFactory.instance.objectNode());
        }
        try {
            JsonNode read = JsonBody.parse(body);
            return new ProviderResult.Done(read);
        } catch (ApiFault unreadable) {
            return new ProviderResult.Unreachable("unreadable response: " + unreadable.getMessage());
        }
    }

    private static ProviderResult failure(Throwable failure) {
        return new ProviderResult.Unreachable(PlacementHttp.why(failure));
    }
}
