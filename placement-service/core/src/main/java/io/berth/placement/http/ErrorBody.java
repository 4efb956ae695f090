package io.berth.placement.http;

import io.berth.http.header.Accept;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Renders error responses: a JSON object whose {@code errors[0]} has the status, title, detail, code (from microversion
 * 1.23) and request id. A {@link ErrorCode#FENCED} refusal adds the consumer and its fence, a 406 for the microversion
 * adds the supported range. Renders HTML if the client accepts it and does not prefer JSON, and plain text if the
 * client accepts neither.
 *
 * <p>The detail consists of a sentence about the status, an empty line and the message, because OpenStack's command
 * line client shows only the last line.
 */
final class ErrorBody {
    /** The title and the sentence of a status, with upstream's texts. */
    private record StatusText(String title, String sentence) {}

    private static final StatusText OTHER_STATUS = new StatusText("Error", "The request failed.");
    private static final Map<Integer, StatusText> BY_STATUS = Map.ofEntries(
            Map.entry(400, new StatusText("Bad Request",
                    "The server could not comply with the request since it is either malformed or otherwise "
                            + "incorrect.")),
            Map.entry(401, new StatusText("Unauthorized",
                    "This server could not verify that you are authorized to access the document you requested.")),
            Map.entry(403, new StatusText("Forbidden", "Access was denied to this resource.")),
            Map.entry(404, new StatusText("Not Found", "The resource could not be found.")),
            Map.entry(405, new StatusText("Method Not Allowed", "The method is not allowed for this resource.")),
            Map.entry(406, new StatusText("Not Acceptable",
                    "The resource could not be generated that was acceptable to your browser.")),
            Map.entry(409, new StatusText("Conflict", "There was a conflict when trying to complete your request.")),
            Map.entry(413, new StatusText("Request Entity Too Large",
                    "The body of your request was too large for this server.")),
            Map.entry(414, new StatusText("Request URI Too Long", "The request URI was too long for this server.")),
            Map.entry(415, new StatusText("Unsupported Media Type",
                    "The request media type is not supported by this server.")),
            Map.entry(431, new StatusText("Request Header Fields Too Large",
                    "The request's headers were too large for this server.")),
            Map.entry(500, new StatusText("Internal Server Error",
                    "The server has either erred or is incapable of performing the requested operation.")),
            Map.entry(501, new StatusText("Not Implemented", "The request is not implemented by this server.")),
            Map.entry(503, new StatusText("Service Unavailable",
                    "The server is currently unavailable. Please try again at a later time.")));

    private ErrorBody() {}

    static Response.ResponseBuilder response(
            @Nullable Call call, @Nullable String accept, @Nullable String method, int status, ErrorCode code,
            String message) {
        return response(call, accept, method, new ApiException(status, code, message));
    }

    /**
     * Renders a refusal. A 503 gets the header {@code Retry-After: 1} (second).
     *
     * @param call the call, for the microversion and the request id; null if there is none
     * @param accept the value of the header Accept; null if it is absent
     * @param method the method of the request, for the text of a 405
     */
    static Response.ResponseBuilder response(
            @Nullable Call call, @Nullable String accept, @Nullable String method, ApiException refusal) {
        int status = refusal.status();
        String message = refusal.getMessage();
        StatusText statusText = BY_STATUS.getOrDefault(status, OTHER_STATUS);
        String sentence = status == 405
                ? "The method " + method + " is not allowed for this resource."
                : statusText.sentence();
        String text = message == null ? "" : message.replace('\n', ' ').replace('\r', ' ');
        var builder = Response.status(status);
        if (status == 503) {
            builder.header("Retry-After", "1");
        }
        return switch (Accept.parse(accept).errorForm()) {
            case HTML -> builder.type(MediaType.TEXT_HTML_TYPE.withCharset("UTF-8"))
                    .entity(html(status, statusText, sentence, text));
            case TEXT -> builder.type(MediaType.TEXT_PLAIN_TYPE.withCharset("UTF-8"))
                    .entity(utf8(status + " " + statusText.title() + "\n\n" + sentence + "\n\n " + text + "  "));
            case JSON -> builder.type(MediaType.APPLICATION_JSON_TYPE)
                    .entity(json(call, refusal, statusText, sentence + "\n\n " + text + "  "));
        };
    }

    private static byte[] json(@Nullable Call call, ApiException refusal, StatusText statusText, String detail) {
        return Json.writeObject(json -> {
            json.writeArrayFieldStart("errors");
            json.writeStartObject();
            json.writeNumberField("status", refusal.status());
            json.writeStringField("title", statusText.title());
            json.writeStringField("detail", detail);
            boolean isNegotiated = call != null && call.isNegotiated();
            if (call != null && isNegotiated && call.atLeast(23)) {
                json.writeStringField("code", refusal.code().wire());
            }
            if (refusal.fence() != null) {
                json.writeStringField("consumer", refusal.fence().consumer().toString());
                json.writeNumberField("fence", refusal.fence().fence());
            }
            if (call != null) {
                json.writeStringField("request_id", call.requestId());
            }
            if (refusal.status() == 406 && !isNegotiated) {
                // Clients read the range of supported microversions from these members.
                json.writeStringField("max_version", io.berth.model.Microversion.MAX.toString());
                json.writeStringField("min_version", io.berth.model.Microversion.MIN.toString());
            }
            json.writeEndObject();
            json.writeEndArray();
        });
    }

    private static byte[] html(int status, StatusText statusText, String sentence, String text) {
        String title = status + " " + statusText.title();
        return utf8("<html>\n <head>\n  <title>" + title + "</title>\n </head>\n <body>\n  <h1>" + title + "</h1>\n  "
                + escaped(sentence) + "<br /><br />\n" + escaped(text) + "\n </body>\n</html>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
