package io.berth.deploy.migration.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.util.HashSet;
import java.util.Set;

/**
 * Detects whether a Berth was written to since this value was read. Compares the uuids, names, parents and generations
 * of all providers (claims and changes of a provider raise its generation); the sequence of releases (deletions of a
 * consumer's allocations), which raise no generation; and the names of traits and resource classes. Does not detect
 * aggregates that a client writes at a microversion before 1.19. Each reading or comparison takes four requests.
 */
public final class WritePosition {
    private static final String RELEASES = "/berth/v1/released_consumers";

    /** The opaque position in the sequence of releases, from {@value #RELEASES}. */
    private final String releasePosition;
    private final Set<ListedProvider> providers;
    private final Set<String> names;

    private WritePosition(String releasePosition, Set<ListedProvider> providers, Set<String> names) {
        this.releasePosition = releasePosition;
        this.providers = providers;
        this.names = names;
    }

    /** A provider as in the list of all providers. */
    private record ListedProvider(String uuid, String name, String parent, long generation) {}

    /** Reads the present position. A write during the call may count as a later write. */
    public static WritePosition of(RestClient berth) throws ApiFailure, InterruptedException {
        String releasePosition = berth.get(RELEASES).path("until").asText();
        return new WritePosition(releasePosition, providers(berth), names(berth));
    }

    /**
     * Returns whether nothing was written since this position was read. Also false if the service no longer stores all
     * releases since then.
     *
     * @param berth the service of which this position was read
     */
    public boolean isUnchanged(RestClient berth) throws ApiFailure, InterruptedException {
        JsonNode since = berth.get(RELEASES + "?since=" + RestClient.encoded(releasePosition));
        return since.path("complete").asBoolean() && since.path("consumers").isEmpty()
                && providers.equals(providers(berth)) && names.equals(names(berth));
    }

    private static Set<ListedProvider> providers(RestClient berth) throws ApiFailure, InterruptedException {
        Set<ListedProvider> providers = new HashSet<>();
        for (JsonNode each : berth.get("/resource_providers").path("resource_providers")) {
            providers.add(new ListedProvider(each.path("uuid").asText(), each.path("name").asText(),
                    each.path("parent_provider_uuid").asText(), each.path("generation").asLong()));
        }
        return providers;
    }

    private static Set<String> names(RestClient berth) throws ApiFailure, InterruptedException {
        Set<String> names = new HashSet<>();
        berth.get("/traits").path("traits").forEach(each -> names.add("trait " + each.asText()));
        berth.get("/resource_classes").path("resource_classes")
                .forEach(each -> names.add("resource class " + each.path("name").asText()));
        return names;
    }
}
