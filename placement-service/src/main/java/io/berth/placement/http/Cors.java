package io.berth.placement.http;

import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Cross-origin headers as upstream's middleware sends them. Not Quarkus' own filter: that one answers 403 to a
 * foreign origin, while here OPTIONS is 200 without headers.
 */
@Singleton
public final class Cors {
    private static final String METHODS = "OPTIONS,GET,HEAD,POST,PUT,DELETE,TRACE,PATCH";

    private final Optional<String> allowedOrigin;
    private final String allowHeaders;

    /**
     * @param allowedOrigin the one origin whose pages may call, such as {@code https://dashboard.example}; unset: no CORS
     * @param allowHeaders headers that such pages may send; unset: {@code openstack-api-version}
     */
    Cors(
            @ConfigProperty(name = "berth.placement.cors.allowed-origin") Optional<String> allowedOrigin,
            @ConfigProperty(name = "berth.placement.cors.allow-headers") Optional<String> allowHeaders) {
        this.allowedOrigin = allowedOrigin;
        this.allowHeaders = allowHeaders.orElse("openstack-api-version");
    }

    /** The whole answer to OPTIONS while CORS is on; null for anything else. */
    Response preflight(ContainerRequestContext request) {
        if (allowedOrigin.isEmpty() || !request.getMethod().equals("OPTIONS")) {
            return null;
        }
        var answer = Response.ok();
        if (isAllowed(request) && request.getHeaderString("access-control-request-method") != null) {
            answer.header("access-control-allow-methods", METHODS).header("access-control-allow-headers", allowHeaders);
        }
        return answer.build();
    }

    void decorate(ContainerRequestContext request, MultivaluedMap<String, Object> headers) {
        if (allowedOrigin.isPresent()) {
            headers.add("vary", "origin");
            if (isAllowed(request)) {
                headers.putSingle("access-control-allow-origin", allowedOrigin.get());
                headers.putSingle("access-control-allow-credentials", "true");
            }
        }
    }

    private boolean isAllowed(ContainerRequestContext request) {
        return allowedOrigin.get().equals(request.getHeaderString("origin"));
    }
}
