package io.berth.deploy.migration.state;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.util.HashSet;
import java.util.Set;

/**
 * Detects whether a Berth was written to since this value was read. Compares the generations of all providers, which
 * claims and changes of providers raise; the sequence of releases, which raise no generation; and the names of traits
 * and resource classes. Does not detect aggregates that a client writes at a microversion before 1.19. Reading it takes
 * four requests.
 */
public final class WritePosition {
    private static final String RELEASES = "/berth/v1/released_consumers";

    /** The opaque position in the sequence of releases, from {@value #RELEASES}. */
    private final String released;
    private final Set<Listed> providers;
    private final Set<String> names;

    private WritePosition(String released, Set<Listed> providers, Set<String> names) {
        this.released = released;
        this.providers = providers;
        this.names = names;
    }

    /** A provider as the list of all providers has it. */
    private record Listed(String uuid, String name, String parent, long generation) {}

    /** Reads the present position. A write during this call may count as a later write. */
    public static WritePosition of(RestClient berth) throws ApiFailure, InterruptedException {
        String released = berth.get(RELEASES).path("until").asText();
        return new WritePosition(released, providers(berth), names(berth));
    }

    /**
     * Returns whether nothing was written since this position was read. Also false if the service no longer has the
     * record of releases since then.
     */
    public boolean isStillThatOf(RestClient berth) throws ApiFailure, InterruptedException {
        JsonNode since = berth.get(RELEASES + "?since=" + RestClient.encoded(released));
        return since.path("complete").asBoolean() && since.path("consumers").isEmpty()
                && providers.equals(providers(berth)) && names.equals(names(berth));
    }

    private static Set<Listed> providers(RestClient berth) throws ApiFailure, InterruptedException {
        Set<Listed> providers = new HashSet<>();
        for (JsonNode each : berth.get("/resource_providers").path("resource_providers")) {
            providers.add(new Listed(each.path("uuid").asText(), each.path("name").asText(),
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
