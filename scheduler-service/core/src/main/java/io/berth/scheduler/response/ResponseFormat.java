package io.berth.scheduler.response;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.http.header.Accept;
import io.berth.scheduler.http.JsonBody;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** The media type of a response: text if the request prefers {@code text/plain} to JSON, otherwise JSON. */
public enum ResponseFormat {
    JSON(MediaType.APPLICATION_JSON_TYPE), TEXT(MediaType.TEXT_PLAIN_TYPE);

    private final MediaType mediaType;

    ResponseFormat(MediaType mediaType) {
        this.mediaType = mediaType.withCharset("UTF-8");
    }

    /** Returns the format that the request's headers {@code Accept} prefer. */
    public static ResponseFormat of(RoutingContext http) {
        String accepted = String.join(",", http.request().headers().getAll(HttpHeaders.ACCEPT));
        return Accept.parse(accepted).prefersText() ? TEXT : JSON;
    }

    /**
     * Renders a response (200) in this format.
     *
     * @param outcome value of the header {@link AnalysisOutcome#HEADER}
     * @param json the response body as JSON
     * @param text renders the JSON as text; called only if this format is {@link #TEXT}
     */
    public Response render(AnalysisOutcome outcome, String json, Function<JsonNode, String> text) {
        return this == JSON
                ? response(outcome, Response.ok().entity(json))
                : render(outcome, json.getBytes(StandardCharsets.UTF_8), text);
    }

    /** Like {@link #render(AnalysisOutcome, String, Function)}, with the JSON body in UTF-8. */
    public Response render(AnalysisOutcome outcome, byte[] json, Function<JsonNode, String> text) {
        if (this == JSON) {
            return response(outcome, Response.ok().entity(json));
        }
        String rendered = text.apply(JsonBody.parse(json));
        return response(outcome, Response.ok().entity(rendered));
    }

    private Response response(AnalysisOutcome outcome, Response.ResponseBuilder body) {
        return body.type(mediaType)
                .header(AnalysisOutcome.HEADER, outcome.wireName())
                .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
                .build();
    }
}
