package io.berth.placement.http;

import io.berth.http.Bodies;
import io.berth.http.BodyLimits;
import io.berth.identity.Identification;
import io.berth.identity.policy.Policy;
import io.berth.model.Microversion;
import io.berth.observability.LoggedRequest;
import io.berth.placement.http.header.Cors;
import io.berth.placement.http.proxy.PublicAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.InputStream;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Checks every request before routing, in upstream's order: request id, CORS, identity (401, 503; not for the path
 * {@code /}), microversion (406, 400), content type (400), spelling of the path (404), size of the body (413) and
 * memory for it (503). Also adds the common response headers.
 *
 * <p>The bean is application scoped, because JAX-RS filters are created during static initialization, which a native
 * executable runs at build time, without the configuration. At that time only a client proxy is created; the bean
 * itself and its dependencies are created at the first request.
 */
@ApplicationScoped
public class ProtocolFilter {
    private static final String SERVICE = "placement";
    private static final Pattern WHITESPACE = Pattern.compile("\\s+");
    private static final String REQUEST_ID = "x-openstack-request-id";
    private static final String VERSION_HEADER = "openstack-api-version";
    /**
     * A method that no route has, so that the response is 405 if the path exists, and 404 otherwise. It replaces
     * OPTIONS and HEAD, which JAX-RS would serve without a route.
     */
    private static final String NO_METHOD = "UNSUPPORTED";
    /** Matches a path with a segment {@code .} or {@code ..}, also percent-encoded. */
    private static final Pattern DOTS = Pattern.compile("/(\\.|%2[eE]){1,2}(/|$)");
    private static final Identification.Unauthenticated NOT_IDENTIFIED =
            new Identification.Unauthenticated("credentials are not checked on this path", "Token realm=\"berth\"");

    private final Policy policy;
    private final Cors cors;
    private final PublicAddress address;
    private final BodyLimits bodyLimits;

    ProtocolFilter(Policy policy, Cors cors, PublicAddress address, BodyLimits bodyLimits) {
        this.policy = policy;
        this.cors = cors;
        this.address = address;
        this.bodyLimits = bodyLimits;
    }

    /** Checks the request. Returns the error response, or null to continue with routing. */
    @ServerRequestFilter(preMatching = true)
    public @Nullable Response check(ContainerRequestContext request, RoutingContext http) {
        Call call = new Call(http, "req-" + UUID.randomUUID(), address);
        http.put(Call.KEY, call);
        LoggedRequest.setIds(call.requestId(), request.getHeaderString(REQUEST_ID));
        Response preflight = cors.preflight(request);
        if (preflight != null) {
            return preflight;
        }
        String path = http.request().path();
        boolean isRootPath = path.equals("/") || path.isEmpty();
        if (!isRootPath) {
            switch (Identification.of(http)) {
                case Identification.Known known -> call.setCaller(known.caller(), policy);
                case Identification.Unauthenticated unauthenticated -> {
                    return unauthorized(unauthenticated);
                }
                case Identification.Unavailable unavailable -> {
                    return refuse(call, request, ApiException.unavailable(unavailable.reason()));
                }
                // IdentityGate does not identify callers of paths below /q/, which this filter also sees.
                case null -> {
                    return unauthorized(NOT_IDENTIFIED);
                }
            }
        }
        try {
            call.setVersion(negotiate(request.getHeaderString(VERSION_HEADER)));
            requireContentType(request);
            if (!isRootPath && isOtherSpelling(path)) {
                throw ApiException.noSuchRoute();
            }
            admitBody(call, request, http);
        } catch (ApiException refused) {
            return refuse(call, request, refused);
        }
        // The router would refuse an invalid media type with an error of its own. The routes that need a content type
        // check it.
        request.getHeaders().remove("content-type");
        String method = request.getMethod();
        if (method.equals("OPTIONS") || method.equals("HEAD")) {
            request.setProperty("berth.method", method);
            request.setMethod(NO_METHOD);
        }
        return null;
    }

    /** Adds the common headers to a response. */
    @ServerResponseFilter
    public void addHeaders(ContainerRequestContext request, ContainerResponseContext response, RoutingContext http) {
        Call call = Call.find(http);
        if (call == null) {
            return;
        }
        var headers = response.getHeaders();
        headers.putSingle(REQUEST_ID, call.requestId());
        if (call.isNegotiated()) {
            headers.putSingle(VERSION_HEADER, SERVICE + " " + call.version());
            headers.add("vary", VERSION_HEADER);
        }
        cors.decorate(request, headers);
    }

    /** Returns the error response for a refusal. */
    static Response refuse(@Nullable Call call, ContainerRequestContext request, ApiException refused) {
        return ErrorBody.response(call, request.getHeaderString("accept"), method(request), refused).build();
    }

    /** Returns the method that the client sent, which {@link #check} may have replaced. */
    static String method(ContainerRequestContext request) {
        Object original = request.getProperty("berth.method");
        return original == null ? request.getMethod() : original.toString();
    }

    /**
     * Returns the microversion of the request, the oldest one if the header has none for placement. The header may list
     * a version for each of several services; the last one for placement counts.
     */
    private static Microversion negotiate(String header) {
        if (header == null) {
            return Microversion.MIN;
        }
        String text = null;
        for (String item : header.split(",")) {
            String[] words = WHITESPACE.split(item.strip(), 2);
            if (words.length == 2 && words[0].equalsIgnoreCase(SERVICE)) {
                text = words[1];
            }
        }
        if (text == null) {
            return Microversion.MIN;
        }
        if (text.equals("latest")) {
            return Microversion.MAX;
        }
        Optional<Microversion> parsed = Microversion.parse(text);
        if (parsed.isEmpty()) {
            throw ApiException.badRequest("Invalid microversion: invalid version string: " + text);
        }
        if (!parsed.get().isSupported()) {
            throw new ApiException(
                    406, ErrorCode.UNDEFINED, "Invalid microversion: Unacceptable version header: " + text);
        }
        return parsed.get();
    }

    /**
     * Returns whether the router would treat this path as another spelling of a path: the router ignores parameters
     * after a semicolon and empty segments, and resolves dots. The service refuses such spellings, because its own
     * checks compare paths as text.
     */
    private static boolean isOtherSpelling(String path) {
        return path.indexOf(';') >= 0 || path.contains("//") || path.endsWith("/") || DOTS.matcher(path).find();
    }

    private static void requireContentType(ContainerRequestContext request) {
        String length = request.getHeaderString("content-length");
        String type = request.getHeaderString("content-type");
        if (length != null && !length.equals("0") && (type == null || type.isBlank())) {
            throw ApiException.badRequest("content-type header required when content-length > 0");
        }
    }

    /**
     * Reserves memory for the body if the route reads one and the policy allows the caller to use the route. Otherwise
     * the endpoint gets an empty body, which it does not need: it reads no body, or refuses the caller before it would.
     */
    private void admitBody(Call call, ContainerRequestContext request, RoutingContext http) {
        Routes.BodyRoute body = Routes.findBodyRoute(http.request(), http.normalizedPath());
        if (body == null || call.caller() == null || !policy.allows(body.rule(), call.caller())) {
            request.setEntityStream(InputStream.nullInputStream());
            return;
        }
        long bytesMax = body.isLarge() ? bodyLimits.largeBytesMax() : bodyLimits.generalBytesMax();
        switch (Bodies.admit(http.request(), bytesMax)) {
            case ADMITTED -> {}
            case TOO_LARGE -> throw new ApiException(
                    413, ErrorCode.UNDEFINED, "A body of this route has at most " + bytesMax + " bytes.");
            case NO_ROOM -> throw ApiException.unavailable(Bodies.NO_ROOM_DETAIL);
        }
    }

    /** Returns a 401 with the body that upstream's middleware sends, which differs from {@link ErrorBody}. */
    private static Response unauthorized(Identification.Unauthenticated unauthenticated) {
        byte[] body = Json.writeObject(json -> {
            json.writeStringField("message",
                    "This server could not verify that you are authorized to access the document you requested. "
                            + "Either you supplied the wrong credentials, or none: " + unauthenticated.reason() + ".");
            json.writeStringField("code", "401 Unauthorized");
            json.writeStringField("title", "Unauthorized");
        });
        return Response.status(401)
                .header("www-authenticate", unauthenticated.challenge())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(body)
                .build();
    }
}
