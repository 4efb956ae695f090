package io.berth.placement.aggregate;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.json.JsonLists;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.BodyWorker;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.Responses;
import io.berth.placement.http.Schema;
import io.berth.placement.provider.KnownProvider;
import io.berth.placement.provider.ProviderChangeLog;
import io.berth.placement.query.UuidText;
import io.quarkus.runtime.Startup;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * The routes {@code /resource_providers/{uuid}/aggregates}, from microversion 1.1; bodies contain the provider's
 * generation from 1.19. A response lists each aggregate in the spelling in which the client wrote it. If that spelling
 * has other characters than hexadecimal digits and dashes, or more than 36 characters, the canonical spelling is used
 * instead. Two spellings of one uuid are the same aggregate; of two in one body, the first is stored.
 *
 * <p>Source: upstream api-ref, "resource provider aggregates".
 */
@Startup
@Singleton
@Path("/resource_providers/{uuid}/aggregates")
public final class AggregatesEndpoint {
    private static final Schema.Versions PUT_SCHEMAS = Schema.loadSince("aggregates-put", 1, 19);

    private static final Pattern STORABLE = Pattern.compile("[0-9a-fA-F-]{1,36}");

    private final FleetFeed feed;
    private final AggregateStore store;
    private final BodyWorker bodyWorker;
    private final ProviderChangeLog changeLog;

    AggregatesEndpoint(FleetFeed feed, AggregateStore store, BodyWorker bodyWorker, ProviderChangeLog changeLog) {
        this.bodyWorker = bodyWorker;
        this.changeLog = changeLog;
        this.feed = feed;
        this.store = store;
    }

    @GET
    public Uni<Response> list(@PathParam("uuid") String uuid, @Context RoutingContext http) {
        Call call = Call.of(http).requireAccept().require(1).allow("placement:resource_providers:aggregates:list");
        return feed.fresh().map(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            return reply(call, provider.aggregateTexts(), provider.generation());
        });
    }

    @PUT
    @Cancellable(false)
    public Uni<Response> replace(@PathParam("uuid") String uuid, byte[] body, @Context RoutingContext http) {
        Call call = Call.of(http).requireJson().require(1).allow("placement:resource_providers:aggregates:update");
        boolean withGeneration = call.atLeast(19);
        return feed.fresh().emitOn(bodyWorker.executorFor(body)).chain(view -> {
            Provider provider = KnownProvider.get(view, uuid);
            JsonNode request = PUT_SCHEMAS.at(call.version()).parse(body);
            Map<UUID, String> aggregates = new LinkedHashMap<>();
            for (JsonNode aggregate : withGeneration ? request.get("aggregates") : request) {
                // Never null: the schema accepts only uuids that parseLenient accepts, too.
                UUID parsed = Objects.requireNonNull(UuidText.parseLenient(aggregate.textValue()));
                aggregates.putIfAbsent(parsed, storedSpelling(parsed, aggregate.textValue()));
            }
            if (withGeneration && !KnownProvider.isGenerationOf(provider, request)) {
                throw KnownProvider.generationConflict();
            }
            Uni<AggregatesOutcome> change = withGeneration
                    ? store.replace(provider.id(), provider.generation(), aggregates.values())
                    : store.replaceWithoutGeneration(provider.id(), aggregates.values());
            return change.map(result -> switch (result) {
                case AggregatesOutcome.Done done -> {
                    changeLog.logChange(
                            call, "aggregates", provider, sortedText(provider.aggregateTexts()),
                            sortedText(aggregates.values()));
                    yield reply(call, aggregates.values(), done.generation());
                }
                case AggregatesOutcome.GenerationConflict _ -> throw KnownProvider.generationConflict();
                case AggregatesOutcome.ProviderGone _ -> throw KnownProvider.noSuchProvider(uuid);
            });
        });
    }

    private static String sortedText(Collection<String> aggregates) {
        return new TreeSet<>(aggregates).toString();
    }

    /**
     * Returns the spelling to store: the client's spelling, or the canonical spelling if that of the client has other
     * characters than hexadecimal digits and dashes (braces, {@code urn:}), or is longer than OpenStack's column, 36
     * characters.
     */
    private static String storedSpelling(UUID aggregate, String spelling) {
        return STORABLE.matcher(spelling).matches() ? spelling : aggregate.toString();
    }

    private static Response reply(Call call, Collection<String> aggregates, int generation) {
        // Like upstream, sends the current time as Last-Modified: the time at which a provider joined an aggregate is
        // not stored.
        return Responses.ok(call, Json.writeObject(json -> {
            JsonLists.writeTexts(json, "aggregates", aggregates);
            if (call.atLeast(19)) {
                json.writeNumberField("resource_provider_generation", generation);
            }
        }), System.currentTimeMillis());
    }
}
