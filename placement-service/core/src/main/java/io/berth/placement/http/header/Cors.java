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
 * If any origin is configured, adds CORS headers as upstream's middleware does, and responds 200 to every OPTIONS. The
 * response to OPTIONS has permissions only if the origin, the method and all headers that the page requests are
 * allowed. Quarkus' own filter is not used, because it responds 403 to an origin that is not allowed.
 *
 * <p>Source: placement {@code wsgi.py} (_set_middleware_defaults), oslo.middleware {@code cors.py}.
 */
@Singleton
public final class Cors {
    /** The methods that a page may use. */
    private static final Set<String> METHODS = Set.of("GET", "PUT", "POST", "DELETE", "PATCH");
    /** The request headers that are always allowed: simple_headers of oslo.middleware. */
    private static final String SIMPLE_HEADERS =
            "accept,accept-language,cache-control,content-language,content-type,expires,last-modified,pragma";
    /** The default of the option {@code allow-headers}, upstream's list. */
    private static final String ALLOWED_HEADERS = "openstack-api-version,x-auth-token,x-identity-status,"
            + "x-openstack-request-id,x-roles,x-service-catalog,x-tenant-id,x-user-id";
    /** The response headers that a script may read: upstream's list, and {@code location}. */
    private static final String EXPOSED_HEADERS =
            "location,openstack-api-version,x-auth-token,x-openstack-request-id,x-service-token,x-subject-token";
    private static final String ANY_ORIGIN = "*";
    /** The seconds for which a browser may cache a preflight response. */
    private static final int MAX_AGE_SECONDS = 3_600;

    private final Set<String> allowedOrigins;
    private final Set<String> allowedHeaders;

    /**
     * @param allowedOrigin the origins whose pages may use the API, such as {@code https://dashboard.example},
     *         separated by commas; {@code *} for any origin; if unset, CORS is off
     * @param allowHeaders request headers that pages of allowed origins may send in addition to {@code accept}, {@code
     *         content-type} and other simple headers, separated by commas; the default is upstream's list, with {@code
     *         openstack-api-version} and {@code x-auth-token}
     */
    Cors(
            @ConfigProperty(name = "berth.placement.cors.allowed-origin") Optional<String> allowedOrigin,
            @ConfigProperty(name = "berth.placement.cors.allow-headers") Optional<String> allowHeaders) {
        this.allowedOrigins = split(allowedOrigin.orElse("")).collect(Collectors.toUnmodifiableSet());
        this.allowedHeaders = Stream.concat(split(SIMPLE_HEADERS), split(allowHeaders.orElse(ALLOWED_HEADERS)))
                .map(header -> header.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Stream<String> split(String list) {
        return Arrays.stream(list.split(",")).map(String::strip).filter(item -> !item.isEmpty());
    }

    /** Returns the response to OPTIONS; null for other methods, and if no origin is configured. */
    public @Nullable Response preflight(ContainerRequestContext request) {
        if (allowedOrigins.isEmpty() || !request.getMethod().equals("OPTIONS")) {
            return null;
        }
        var response = Response.ok();
        String origin = allowedOriginFor(request.getHeaderString("origin"));
        String method = request.getHeaderString("access-control-request-method");
        List<String> headers = headersIfAllAllowed(request.getHeaderString("access-control-request-headers"));
        if (origin != null && method != null && METHODS.contains(method) && headers != null) {
            response.header("access-control-allow-origin", origin)
                    .header("access-control-allow-credentials", "true")
                    .header("access-control-allow-methods", method)
                    .header("access-control-max-age", MAX_AGE_SECONDS);
            if (!headers.isEmpty()) {
                response.header("access-control-allow-headers", String.join(",", headers));
            }
        }
        return response.build();
    }

    /**
     * Adds {@code Vary} to a response if any origin is configured, and the other CORS headers if the request's origin
     * is allowed. A response to OPTIONS gets only {@code Vary}, because {@link #preflight} has added the others.
     */
    public void decorate(ContainerRequestContext request, MultivaluedMap<String, Object> headers) {
        if (!allowedOrigins.isEmpty()) {
            headers.add("vary", "origin");
            String allowed = allowedOriginFor(request.getHeaderString("origin"));
            if (allowed != null && !request.getMethod().equals("OPTIONS")) {
                headers.putSingle("access-control-allow-origin", allowed);
                headers.putSingle("access-control-allow-credentials", "true");
                headers.putSingle("access-control-expose-headers", EXPOSED_HEADERS);
            }
        }
    }

    /**
     * Returns the value of Access-Control-Allow-Origin, the origin or {@code *}; null if the origin is not allowed or
     * absent.
     */
    @Nullable String allowedOriginFor(@Nullable String origin) {
        if (origin == null || allowedOrigins.contains(origin)) {
            return origin;
        }
        return allowedOrigins.contains(ANY_ORIGIN) ? ANY_ORIGIN : null;
    }

    /**
     * Returns the request headers that a page wants to send; null if one of them is not allowed.
     *
     * @param requested the value of Access-Control-Request-Headers; null if it is absent
     */
    @Nullable List<String> headersIfAllAllowed(@Nullable String requested) {
        List<String> headers = split(requested == null ? "" : requested).toList();
        boolean areAllAllowed =
                headers.stream().allMatch(header -> allowedHeaders.contains(header.toLowerCase(Locale.ROOT)));
        return areAllAllowed ? headers : null;
    }
}
