package io.berth.scheduler.placement;

import com.fasterxml.jackson.databind.JsonNode;

/** The result of reading or writing a resource provider. */
public sealed interface ProviderResult {
    /** @param body the response body as JSON; an empty object if placement sent none */
    record Done(JsonNode body) implements ProviderResult {}

    /** Placement has no such provider. */
    record Absent() implements ProviderResult {}

    /** Another client changed the provider, so the generation in the request is outdated. Read the provider again. */
    record GenerationConflict(String detail) implements ProviderResult {}

    /** Placement refuses the request (4xx); a repetition would be refused, too. */
    record Refused(int status, String detail) implements ProviderResult {}

    /** No usable response in time; a write may have been carried out. */
    record Unreachable(String why) implements ProviderResult {}
}
