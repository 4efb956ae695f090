package io.berth.placement.http;

import io.berth.model.Microversion;
import io.smallrye.common.annotation.NonBlocking;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;

/** The route {@code GET /}: lists the supported range of microversions. The only route that needs no credentials. */
@Path("/")
public final class RootEndpoint {
    private static final byte[] VERSIONS = Json.writeObject(json -> {
        json.writeArrayFieldStart("versions");
        json.writeStartObject();
        json.writeStringField("id", "v" + Microversion.MIN);
        json.writeStringField("max_version", Microversion.MAX.toString());
        json.writeStringField("min_version", Microversion.MIN.toString());
        json.writeStringField("status", "CURRENT");
        json.writeArrayFieldStart("links");
        json.writeStartObject();
        json.writeStringField("rel", "self");
        json.writeStringField("href", "");
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeEndArray();
    });

    @GET
    @NonBlocking
    public Response home(@Context RoutingContext http) {
        return Responses.ok(Call.of(http), VERSIONS, System.currentTimeMillis());
    }
}
