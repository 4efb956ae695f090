package io.berth.placement.http;

import io.berth.http.header.Accept;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Renders error responses: {@code errors[0]} with status, title, detail, code (from 1.23) and request id. For clients
 * that do not accept JSON, renders plain text or HTML.
 *
 * <p>The detail consists of a sentence about the status, an empty line and the message, because OpenStack's command
 * line client shows only the last line.
 */
final class ErrorBody {
    /** The title and the sentence of a status, with upstream's texts. */
    private record Generic(String title, String sentence) {}

    private static final Generic UNKNOWN = new Generic("Error", "The request failed.");
    private static final Map<Integer, Generic> BY_STATUS = Map.ofEntries(
            Map.entry(400, new Generic("Bad Request",
                    "The server could not comply with the request since it is either malformed or otherwise "
                            + "incorrect.")),
            Map.entry(401, new Generic("Unauthorized",
                    "This server could not verify that you are authorized to access the document you requested.")),
            Map.entry(403, new Generic("Forbidden", "Access was denied to this resource.")),
            Map.entry(404, new Generic("Not Found", "The resource could not be found.")),
            Map.entry(405, new Generic("Method Not Allowed", "The method is not allowed for this resource.")),
            Map.entry(406, new Generic("Not Acceptable",
                    "The resource could not be generated that was acceptable to your browser.")),
            Map.entry(409, new Generic("Conflict", "There was a conflict when trying to complete your request.")),
            Map.entry(413, new Generic("Request Entity Too Large",
                    "The body of your request was too large for this server.")),
            Map.entry(414, new Generic("Request URI Too Long", "The request URI was too long for this server.")),
            Map.entry(415, new Generic("Unsupported Media Type",
                    "The request media type is not supported by this server.")),
            Map.entry(431, new Generic("Request Header Fields Too Large",
                    "The request's headers were too large for this server.")),
            Map.entry(500, new Generic("Internal Server Error",
                    "The server has either erred or is incapable of performing the requested operation.")),
            Map.entry(501, new Generic("Not Implemented", "The request is not implemented by this server.")),
            Map.entry(503, new Generic("Service Unavailable",
                    "The server is currently unavailable. Please try again at a later time.")));

    private ErrorBody() {}

    static Response.ResponseBuilder response(
            @Nullable Call call, @Nullable String accept, @Nullable String method, int status, ErrorCode code,
            String message) {
        return response(call, accept, method, new ApiException(status, code, message));
    }

    static Response.ResponseBuilder response(
            @Nullable Call call, @Nullable String accept, @Nullable String method, ApiException refused) {
        int status = refused.status();
        String message = refused.getMessage();
        Generic generic = BY_STATUS.getOrDefault(status, UNKNOWN);
        String sentence = status == 405
                ? "The method " + method + " is not allowed for this resource."
                : generic.sentence();
        String text = message == null ? "" : message.replace('\n', ' ').replace('\r', ' ');
        var builder = Response.status(status);
        if (status == 503) {
            builder.header("Retry-After", "1");
        }
        return switch (Accept.parse(accept).errorForm()) {
            case HTML -> builder.type(MediaType.TEXT_HTML_TYPE.withCharset("UTF-8"))
                    .entity(html(status, generic, sentence, text));
            case TEXT -> builder.type(MediaType.TEXT_PLAIN_TYPE.withCharset("UTF-8"))
                    .entity(utf8(status + " " + generic.title() + "\n\n" + sentence + "\n\n " + text + "  "));
            case JSON -> builder.type(MediaType.APPLICATION_JSON_TYPE)
                    .entity(json(call, refused, generic, sentence + "\n\n " + text + "  "));
        };
    }

    private static byte[] json(@Nullable Call call, ApiException refused, Generic generic, String detail) {
        return Json.writeObject(json -> {
            json.writeArrayFieldStart("errors");
            json.writeStartObject();
            json.writeNumberField("status", refused.status());
            json.writeStringField("title", generic.title());
            json.writeStringField("detail", detail);
            boolean negotiated = call != null && call.isNegotiated();
            if (call != null && negotiated && call.atLeast(23)) {
                json.writeStringField("code", refused.code().wire());
            }
            if (refused.fence() != null) {
                json.writeStringField("consumer", refused.fence().consumer().toString());
                json.writeNumberField("fence", refused.fence().fence());
            }
            if (call != null) {
                json.writeStringField("request_id", call.requestId());
            }
            if (refused.status() == 406 && !negotiated) {
                // Clients read the range of supported microversions from these members.
                json.writeStringField("max_version", io.berth.model.Microversion.MAX.toString());
                json.writeStringField("min_version", io.berth.model.Microversion.MIN.toString());
            }
            json.writeEndObject();
            json.writeEndArray();
        });
    }

    private static byte[] html(int status, Generic generic, String sentence, String text) {
        String title = status + " " + generic.title();
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
