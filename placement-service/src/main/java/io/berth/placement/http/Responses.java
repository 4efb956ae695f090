package io.berth.placement.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Creates successful responses with their common headers. */
public final class Responses {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Responses() {}

    /**
     * Responds 200 with JSON; from microversion {@code 1.cacheHeadersFrom} on with Last-Modified and Cache-Control.
     *
     * @param lastModifiedMs epoch milliseconds
     */
    public static Response ok(Call call, byte[] json, int cacheHeadersFrom, long lastModifiedMs) {
        return json(call, 200, json, cacheHeadersFrom, lastModifiedMs).build();
    }

    /** Responds 200 with JSON; from 1.15 on with Last-Modified and Cache-Control, like nearly all routes. */
    public static Response ok(Call call, byte[] json, long lastModifiedMs) {
        return ok(call, json, 15, lastModifiedMs);
    }

    /** Responds like {@link #ok(Call, byte[], long)}. */
    public static Response ok(Call call, LongBody json, long lastModifiedMs) {
        return cached(
                call, Response.ok().type(MediaType.APPLICATION_JSON_TYPE).entity(json), 15, lastModifiedMs).build();
    }

    public static Response.ResponseBuilder json(
            Call call, int status, byte[] json, int cacheHeadersFrom, long lastModifiedMs) {
        return cached(
                call, Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(json), cacheHeadersFrom,
                lastModifiedMs);
    }

    /** Responds without a body; from microversion {@code 1.cacheHeadersFrom} on with the cache headers. */
    public static Response.ResponseBuilder empty(Call call, int status, int cacheHeadersFrom, long lastModifiedMs) {
        return cached(call, Response.status(status), cacheHeadersFrom, lastModifiedMs);
    }

    public static Response noContent() {
        return Response.noContent().build();
    }

    private static Response.ResponseBuilder cached(
            Call call, Response.ResponseBuilder builder, int cacheHeadersFrom, long lastModifiedMs) {
        if (call.atLeast(cacheHeadersFrom)) {
            builder.header("Last-Modified", HTTP_DATE.format(Instant.ofEpochMilli(lastModifiedMs)));
            builder.header("Cache-Control", "no-cache");
        }
        return builder;
    }
}
