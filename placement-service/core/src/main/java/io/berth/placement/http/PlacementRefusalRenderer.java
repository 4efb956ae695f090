package io.berth.placement.http;

import io.berth.http.RefusalRenderer;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Renders error responses for requests that the connection guard refuses, before {@link ProtocolFilter} sees them. */
@Singleton
final class PlacementRefusalRenderer implements RefusalRenderer {
    @Override
    public RenderedRefusal refusal(
            int status, String detail, @Nullable String method, @Nullable String accept, @Nullable String requestId) {
        Call call = new Call(null, requestId == null ? "req-" + UUID.randomUUID() : requestId, null);
        Response response = ErrorBody.response(call, accept, method, status, ErrorCode.UNDEFINED, detail).build();
        Map<String, String> headers = new LinkedHashMap<>();
        response.getStringHeaders().forEach((name, values) -> headers.put(name, values.getFirst()));
        headers.put("x-openstack-request-id", call.requestId());
        return new RenderedRefusal(headers, (byte[]) response.getEntity());
    }
}
