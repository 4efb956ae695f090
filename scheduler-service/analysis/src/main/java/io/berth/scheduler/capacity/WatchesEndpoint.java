package io.berth.scheduler.capacity;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.berth.json.JsonLists;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.WrittenJson;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code /v1/capacity/watches}: lists, stores and deletes watches, which are requests whose capacity {@link Watches}
 * counts periodically and publishes as metrics.
 */
@Path("/v1/capacity/watches")
@Produces(MediaType.APPLICATION_JSON)
public class WatchesEndpoint {
    /** Matches an allowed name of a watch. Names are values of a metric's label. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");

    /** The member {@code why} of a watch that is too long to be read, and so is not counted. */
    static final String WHY_UNREAD =
            "its body has more than " + WatchStore.READ_MAX + " characters: put a shorter one, or delete it";

    private final WatchStore store;

    WatchesEndpoint(WatchStore store) {
        this.store = store;
    }

    @GET
    public Uni<byte[]> list() {
        return store.list().map(watches -> WrittenJson.objectBytes(json -> JsonLists.writeObjects(
                json, "watches", watches.entrySet(), each -> write(json, each.getKey(), each.getValue()))));
    }

    @GET
    @Path("/{name}")
    public Uni<byte[]> get(@PathParam("name") String name) {
        return store.list().map(watches -> {
            WatchStore.Watch watch = watches.get(name);
            if (watch == null) {
                throw unknown(name);
            }
            return WrittenJson.objectBytes(json -> write(json, name, watch));
        });
    }

    @PUT
    @Path("/{name}")
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<Response> put(@PathParam("name") String name, byte[] body) {
        if (!NAME.matcher(name).matches()) {
            throw ApiFault.invalid("name: must be 1 to 64 letters, digits, dots, colons, dashes and underscores");
        }
        if (body.length > WatchStore.BODY_MAX) {
            throw new ApiFault(
                    ErrorCode.BODY_TOO_LARGE,
                    "the body of a watch must not be larger than " + WatchStore.BODY_MAX + " bytes");
        }
        JsonNode json = JsonBody.ofRequest(body);
        CountedRequest.ofWatch(json, name);
        return store.put(name, json).map(created -> Response.status(created ? 201 : 200)
                .entity(WrittenJson.objectBytes(out -> write(out, name, new WatchStore.Watch(json.toString(), null))))
                .build());
    }

    @DELETE
    @Path("/{name}")
    @Cancellable(false)
    public Uni<Response> delete(@PathParam("name") String name) {
        return store.delete(name).map(existed -> {
            if (!existed) {
                throw unknown(name);
            }
            return Response.noContent().build();
        });
    }

    private static ApiFault unknown(String name) {
        return ApiFault.notFound("there is no watch " + name + ": GET /v1/capacity/watches lists all");
    }

    private static void write(JsonGenerator json, String name, WatchStore.Watch watch) throws IOException {
        json.writeStringField("name", name);
        if (watch.body() == null) {
            json.writeStringField("why", WHY_UNREAD);
            return;
        }
        for (Map.Entry<String, JsonNode> member : WatchStore.parseJson(watch.body()).properties()) {
            json.writeFieldName(member.getKey());
            json.writeTree(member.getValue());
        }
        if (watch.counted() != null) {
            json.writeFieldName("last");
            json.writeRawValue(watch.counted());
        }
    }
}
