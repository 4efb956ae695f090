package io.berth.placement.trait;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.Responses;
import io.berth.placement.http.Schema;
import io.berth.placement.provider.KnownProvider;
import io.berth.placement.provider.ProviderChangeLog;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The routes {@code /resource_providers/{uuid}/traits}, from microversion 1.6. Source: upstream api-ref, "resource
 * provider traits".
 */
@Startup
@Singleton
@Path("/resource_providers/{uuid}/traits")
public final class ProviderTraitsEndpoint {
    /** The most unknown traits that a message lists; a body of the largest size may name up to 600,000. */
    private static final int LISTED_MAX = 100;
    private static final Schema PUT_TRAITS = Schema.load("provider-traits-put");

    private final FleetFeed feed;
    private final ProviderTraitStore store;
    private final BodyWorker bodyWorker;
    private final ProviderChangeLog changeLog;

    ProviderTraitsEndpoint(
            FleetFeed feed, ProviderTraitStore store, BodyWorker bodyWorker, ProviderChangeLog changeLog) {
        this.bodyWorker = bodyWorker;
        this.changeLog = changeLog;
        this.feed = feed;
        this.store = store;
    }

    @GET
    public Uni<Response> list(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        Call call = Call.of(http).require(6).requireAccept().allow("placement:resource_providers:traits:list");
        return feed.fresh().map(view -> {
            Provider provider = KnownProvider.get(view, uuid, ": ");
            List<NameCatalogue.Entry> traits =
                    Arrays.stream(provider.traitIds()).mapToObj(view.traits()::find).toList();
            return TraitsJson.reply(call, traits, provider.generation());
        });
    }

    @PUT
    @Cancellable(false)
    public Uni<Response> replace(@PathParam("uuid") String uuid, byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).require(6).requireJson().allow("placement:resource_providers:traits:update");
        return feed.fresh().emitOn(bodyWorker.executorFor(body)).chain(view -> {
            JsonNode request = PUT_TRAITS.parse(body);
            Provider provider = KnownProvider.get(view, uuid);
            if (!KnownProvider.isGenerationOf(provider, request)) {
                throw KnownProvider.generationConflict();
            }
            var traits = new TreeMap<Integer, NameCatalogue.Entry>();
            var unknown = new TreeSet<String>();
            for (JsonNode name : request.get("traits")) {
                NameCatalogue.Entry trait = view.traits().find(name.textValue());
                if (trait == null) {
                    unknown.add(name.textValue());
                } else {
                    traits.put(trait.id(), trait);
                }
            }
            if (!unknown.isEmpty()) {
                String more = unknown.size() > LISTED_MAX ? ", and " + (unknown.size() - LISTED_MAX) + " more" : "";
                throw ApiException.badRequest("No such trait "
                        + unknown.stream().limit(LISTED_MAX).collect(Collectors.joining(", ", "", more)));
            }
            var replaced = store.replace(provider.id(), provider.generation(), traits.keySet());
            return replaced.map(outcome -> switch (outcome) {
                case ProviderTraitsOutcome.Done done -> {
                    logChange(call, view, provider, traits.values().stream());
                    yield TraitsJson.reply(call, List.copyOf(traits.values()), done.generation());
                }
                case ProviderTraitsOutcome.GenerationConflict _ -> throw KnownProvider.generationConflict();
                case ProviderTraitsOutcome.TraitGone _ ->
                    throw ApiException.badRequest("No such trait: one of them was deleted meanwhile");
                case ProviderTraitsOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
            });
        });
    }

    @DELETE
    @Cancellable(false)
    public Uni<Response> clear(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        Call call = Call.of(http).require(6).allow("placement:resource_providers:traits:delete");
        return feed.fresh().chain(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            return store.clear(provider.id()).map(outcome -> switch (outcome) {
                case ProviderTraitsOutcome.Done _ -> {
                    logChange(call, view, provider, Stream.empty());
                    yield Responses.noContent();
                }
                case ProviderTraitsOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
                case ProviderTraitsOutcome.GenerationConflict _, ProviderTraitsOutcome.TraitGone _ ->
                    throw new IllegalStateException("unexpected result of this change: " + outcome);
            });
        });
    }

    private void logChange(Call call, FleetView view, Provider provider, Stream<NameCatalogue.Entry> now) {
        changeLog.logChange(
                call, "traits", provider, sortedNames(Arrays.stream(provider.traitIds()).mapToObj(view.traits()::find)),
                sortedNames(now));
    }

    private static String sortedNames(Stream<NameCatalogue.Entry> traits) {
        return traits.map(NameCatalogue.Entry::name).sorted().toList().toString();
    }
}
