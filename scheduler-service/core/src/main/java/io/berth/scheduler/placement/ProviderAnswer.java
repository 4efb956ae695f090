package io.berth.scheduler.placement;

import com.fasterxml.jackson.databind.JsonNode;

/** What reading or writing of a resource provider can come to. */
public sealed interface ProviderAnswer {
    /** @param body an empty object if placement sent none */
    record Done(JsonNode body) implements ProviderAnswer {}

    /** Placement has no such provider. */
    record Absent() implements ProviderAnswer {}

    /** Somebody else wrote the provider first: read it again. */
    record Moved(String detail) implements ProviderAnswer {}

    /** Placement will not do it, now or later, as things are. */
    record Refused(int status, String detail) implements ProviderAnswer {}

    /** Not known whether it was done. */
    record Unreachable(String why) implements ProviderAnswer {}
}
