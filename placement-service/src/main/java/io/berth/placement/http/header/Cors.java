package io.berth.placement.http.header;

import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Cross-origin headers as upstream's middleware sends them. Not Quarkus' own filter: that one answers 403 to a
 * foreign origin, while here OPTIONS is 200 without headers.
 * <br>Source: placement {@code wsgi.py} (_set_middleware_defaults), oslo.middleware {@code cors.py}.
 */
@Singleton
public final class Cors {
    private static final String METHODS = "OPTIONS,GET,HEAD,POST,PUT,DELETE,TRACE,PATCH";
    private static final String ALLOWED = "openstack-api-version,x-auth-token,x-identity-status,"
            + "x-openstack-request-id,x-roles,x-service-catalog,x-tenant-id,x-user-id";
    /** What a script may read of an answer. */
    private static final String EXPOSED = "location,openstack-api-version,x-openstack-request-id";
    private static final String ANY = "*";
    private static final int MAX_AGE_SECONDS = 3_600;

    private final Set<String> allowedOrigins;
    private final Set<String> allowHeaders;

    /**
     * @param allowedOrigin the origins whose pages may call, such as {@code https://dashboard.example}, with commas between
     *     them; {@code *} is any; unset: no CORS
     * @param allowHeaders headers that such pages may send beside {@code content-type}, with commas between them; unset:
     *     {@code openstack-api-version}, {@code x-auth-token} and the others that upstream allows
     */
    Cors(
            @ConfigProperty(name = "berth.placement.cors.allowed-origin") Optional<String> allowedOrigin,
            @ConfigProperty(name = "berth.placement.cors.allow-headers") Optional<String> allowHeaders) {
        this.allowedOrigins = items(allowedOrigin.orElse("")).collect(Collectors.toUnmodifiableSet());
        this.allowHeaders = Stream.concat(Stream.of("content-type"), items(allowHeaders.orElse(ALLOWED)))
                .map(header -> header.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> items(String list) {
        return Arrays.stream(list.split(",")).map(String::strip).filter(item -> !item.isEmpty());
    }

    /** The whole answer to OPTIONS while CORS is on; null for anything else. */
    public Response preflight(ContainerRequestContext request) {
        if (allowedOrigins.isEmpty() || !request.getMethod().equals("OPTIONS")) {
            return null;
        }
        var answer = Response.ok();
        if (allowedFor(request.getHeaderString("origin")) != null
                && request.getHeaderString("access-control-request-method") != null) {
            answer.header("access-control-allow-methods", METHODS).header("access-control-max-age", MAX_AGE_SECONDS);
            String headers = allowed(request.getHeaderString("access-control-request-headers"));
            if (!headers.isEmpty()) {
                answer.header("access-control-allow-headers", headers);
            }
        }
        return answer.build();
    }

    public void decorate(ContainerRequestContext request, MultivaluedMap<String, Object> headers) {
        if (!allowedOrigins.isEmpty()) {
            headers.add("vary", "origin");
            String allowed = allowedFor(request.getHeaderString("origin"));
            if (allowed != null) {
                headers.putSingle("access-control-allow-origin", allowed);
                headers.putSingle("access-control-allow-credentials", "true");
                headers.putSingle("access-control-expose-headers", EXPOSED);
            }
        }
    }

    /** The origins that are told to be allowed to one that may call, itself or all; null where it may not. */
    @Nullable String allowedFor(@Nullable String origin) {
        if (origin == null || allowedOrigins.contains(origin)) {
            return origin;
        }
        return allowedOrigins.contains(ANY) ? ANY : null;
    }

    /** Of the headers that a page asks for those that it may send, with commas between them. */
    String allowed(@Nullable String asked) {
        List<String> headers = items(asked == null ? "" : asked)
                .filter(header -> allowHeaders.contains(header.toLowerCase(Locale.ROOT)))
                .toList();
        return String.join(",", headers);
    }
}
