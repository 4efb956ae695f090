package io.berth.scheduler.http;

import io.berth.http.RefusalRenderer;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** Renders error responses for requests that the connection guard refuses before routing. */
@Singleton
final class SchedulerRefusalRenderer implements RefusalRenderer {
    @Override
    public RenderedRefusal refusal(
            int status, String detail, @Nullable String method, @Nullable String accept, @Nullable String requestId) {
        ErrorCode code = switch (status) {
            case 413 -> ErrorCode.BODY_TOO_LARGE;
            case 414 -> ErrorCode.URI_TOO_LONG;
            case 431 -> ErrorCode.HEADERS_TOO_LARGE;
            case 503 -> ErrorCode.OVERLOADED;
            default -> ErrorCode.REQUEST_INVALID;
        };
        String id = requestId == null ? "req-" + UUID.randomUUID() : requestId;
        Map<String, String> headers = new HashMap<>(Map.of("content-type", "application/json", RequestId.HEADER, id));
        if (code.status() == 503) {
            headers.put("retry-after", ErrorMappers.RETRY_AFTER_SECONDS);
        }
        return new RenderedRefusal(headers, new ApiError(code, detail).render(id).getBytes(StandardCharsets.UTF_8));
    }
}
