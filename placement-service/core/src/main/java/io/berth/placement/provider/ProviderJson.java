package io.berth.placement.provider;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.model.Microversion;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.LongBody;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;

/** Renders providers in the form of the request's microversion. Source: upstream api-ref, "resource providers". */
final class ProviderJson {
    /**
     * A link of a provider. {@code since} is the minor number of the first microversion whose responses have the link.
     */
    private record Link(String rel, int since) {}

    private static final List<Link> LINKS = List.of(
            new Link("inventories", 0),
            new Link("usages", 0),
            new Link("aggregates", 1),
            new Link("traits", 6),
            new Link("allocations", 11));

    /** The number of bytes of JSON before the first provider of a list. */
    private static final int PREFIX_BYTES = "{\"resource_providers\":[".length();
    /** The number of providers in a chunk. */
    private static final int CHUNK_PROVIDERS = 50;

    private ProviderJson() {}

    static byte[] one(ResourceProvider provider, Call call) {
        return Json.write(json -> write(json, provider, call.version(), call.prefix()));
    }

    static byte[] list(FleetView view, List<Provider> providers, Call call) {
        String prefix = call.prefix();
        return Json.writeObject(json -> JsonLists.writeArray(json, "resource_providers", providers,
                provider -> write(json, ResourceProvider.of(view, provider), call.version(), prefix)));
    }

    /** Renders the same as {@link #list}, for at least one provider, in chunks of about 50 KB. */
    static Iterator<byte[]> listChunks(FleetView view, List<Provider> providers, Call call) {
        return LongBody.chunksOf(
                providers, PREFIX_BYTES, from -> Math.min(from + CHUNK_PROVIDERS, providers.size()),
                sublist -> list(view, sublist, call));
    }

    private static void write(
            JsonGenerator json, ResourceProvider provider, Microversion version, String prefix) throws IOException {
        String url = prefix + "/resource_providers/" + provider.uuid();
        json.writeStartObject();
        json.writeStringField("uuid", provider.uuid().toString());
        json.writeStringField("name", provider.name());
        json.writeNumberField("generation", provider.generation());
        json.writeArrayFieldStart("links");
        writeLink(json, "self", url);
        for (Link link : LINKS) {
            if (version.atLeast(link.since())) {
                writeLink(json, link.rel(), url + "/" + link.rel());
            }
        }
        json.writeEndArray();
        if (version.atLeast(14)) {
            json.writeStringField(
                    "parent_provider_uuid", provider.parentUuid() == null ? null : provider.parentUuid().toString());
            json.writeStringField("root_provider_uuid", provider.rootUuid().toString());
        }
        json.writeEndObject();
    }

    private static void writeLink(JsonGenerator json, String rel, String href) throws IOException {
        json.writeStartObject();
        json.writeStringField("rel", rel);
        json.writeStringField("href", href);
        json.writeEndObject();
    }
}
