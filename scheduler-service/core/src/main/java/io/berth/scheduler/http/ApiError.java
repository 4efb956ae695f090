package io.berth.scheduler.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Objects;

/**
 * An error response. Its body is rendered without an ObjectMapper, so that it needs no reflection.
 *
 * @param detail the reason as a text for people; never a stack trace
 * @param explanationJson JSON of the member {@code explanation}; null to omit the member
 * @param candidatesJson JSON of the member {@code candidates}, the instances that an ambiguous name may mean; null to
 *     omit the member
 */
public record ApiError(ErrorCode code, String detail, @Nullable String explanationJson,
        @Nullable String candidatesJson) {
    private static final JsonFactory JSON = new JsonFactory();

    public ApiError {
        Objects.requireNonNull(code, "code");
        Objects.requireNonNull(detail, "detail");
    }

    public ApiError(ErrorCode code, String detail) {
        this(code, detail, null);
    }

    public ApiError(ErrorCode code, String detail, @Nullable String explanationJson) {
        this(code, detail, explanationJson, null);
    }

    /** Returns the error for a name that several instances have. */
    public static ApiError ambiguous(String detail, String candidatesJson) {
        return new ApiError(ErrorCode.AMBIGUOUS_NAME, detail, null, candidatesJson);
    }

    /** Renders the body {@code {"errors": [{...}]}}, in the form of placement's errors. */
    public String render(String requestId) {
        StringWriter text = new StringWriter(256);
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeArrayFieldStart("errors");
            json.writeStartObject();
            json.writeNumberField("status", code.status());
            json.writeStringField("request_id", requestId);
            json.writeStringField("code", code.code());
            json.writeStringField("title", code.title());
            json.writeStringField("detail", detail);
            if (explanationJson != null) {
                json.writeFieldName("explanation");
                json.writeRawValue(explanationJson);
            }
            if (candidatesJson != null) {
                json.writeFieldName("candidates");
                json.writeRawValue(candidatesJson);
            }
            json.writeEndObject();
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
