package io.berth.placement.http;

import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.function.Supplier;

/** Creates successful responses with their cache headers. */
public final class Responses {
    private static final DateTimeFormatter HTTP_DATE =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Responses() {}

    /**
     * Returns a 200 with JSON.
     *
     * @param cacheHeadersFrom minor number of the first microversion with Last-Modified and Cache-Control
     * @param lastModifiedMs value of Last-Modified, in epoch milliseconds
     */
    public static Response ok(Call call, byte[] json, int cacheHeadersFrom, long lastModifiedMs) {
        return json(call, 200, json, cacheHeadersFrom, lastModifiedMs).build();
    }

    /** Returns a 200 with JSON, with cache headers from microversion 1.15, as most routes do. */
    public static Response ok(Call call, byte[] json, long lastModifiedMs) {
        return ok(call, json, 15, lastModifiedMs);
    }

    /** Returns a 200 with a long body, with cache headers from microversion 1.15. */
    public static Response ok(Call call, LongBody json, long lastModifiedMs) {
        return cached(
                call, Response.ok().type(MediaType.APPLICATION_JSON_TYPE).entity(json), 15, lastModifiedMs).build();
    }

    /**
     * Returns a 200 with plain text if {@link Call#prefersText} is true, otherwise with JSON. Both are in UTF-8 and
     * have cache headers from microversion 1.15; the caller may add headers. Renders only the body that it returns.
     */
    public static Response.ResponseBuilder okJsonOrText(
            Call call, Supplier<byte[]> json, Supplier<String> text, long lastModifiedMs) {
        boolean isText = call.prefersText();
        byte[] body = isText ? text.get().getBytes(StandardCharsets.UTF_8) : json.get();
        MediaType type = isText ? MediaType.TEXT_PLAIN_TYPE.withCharset("UTF-8") : MediaType.APPLICATION_JSON_TYPE;
        return cached(call, Response.ok().type(type).entity(body), 15, lastModifiedMs).header("Vary", "Accept");
    }

    /**
     * Returns a response with JSON, to which the caller may add headers; the parameters are those of {@link #ok(Call,
     * byte[], int, long)}.
     */
    public static Response.ResponseBuilder json(
            Call call, int status, byte[] json, int cacheHeadersFrom, long lastModifiedMs) {
        return cached(
                call, Response.status(status).type(MediaType.APPLICATION_JSON_TYPE).entity(json), cacheHeadersFrom,
                lastModifiedMs);
    }

    /**
     * Returns a response without a body, to which the caller may add headers; the parameters are those of {@link
     * #ok(Call, byte[], int, long)}.
     */
    public static Response.ResponseBuilder empty(Call call, int status, int cacheHeadersFrom, long lastModifiedMs) {
        return cached(call, Response.status(status), cacheHeadersFrom, lastModifiedMs);
    }

    /** Returns a 204 without cache headers. */
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
