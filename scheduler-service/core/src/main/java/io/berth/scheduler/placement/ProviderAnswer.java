package io.berth.scheduler.placement;

import com.fasterxml.jackson.databind.JsonNode;

/** The result of reading or writing a resource provider. */
public sealed interface ProviderAnswer {
    /** @param body an empty object if placement sent none */
    record Done(JsonNode body) implements ProviderAnswer {}

    /** Placement has no such provider. */
    record Absent() implements ProviderAnswer {}

    /** Another client changed the provider first: read it again. */
    record Moved(String detail) implements ProviderAnswer {}

    /** Placement refuses it, and will as long as nothing changes. */
    record Refused(int status, String detail) implements ProviderAnswer {}

    /** It is unknown whether the request was carried out. */
    record Unreachable(String why) implements ProviderAnswer {}
}
