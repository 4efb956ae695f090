package io.berth.placement.http;

import io.berth.database.SqlFault;
import io.berth.http.Bodies;
import io.berth.observability.CountingLogThrottle;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Converts every failure of a request to an error response, which never contains a stack trace. */
public final class ErrorMappers {
    private static final Logger LOG = Logger.getLogger(ErrorMappers.class);
    private static final CountingLogThrottle UNAVAILABLE_LOG = new CountingLogThrottle();

    @ServerExceptionMapper
    public Response refused(ApiException refused, ContainerRequestContext request, RoutingContext http) {
        return ProtocolFilter.refuse(Call.find(http), request, refused);
    }

    /**
     * Responds 405 if the path exists, otherwise 404. The router reports an unsupported method as not found, too, if
     * the paths of two endpoints have the same beginning.
     */
    @ServerExceptionMapper
    public Response notFound(NotFoundException e, ContainerRequestContext request, RoutingContext http) {
        if (!Routes.allowedMethods(http.normalizedPath()).isEmpty()) {
            return notAllowed(request, http);
        }
        return ProtocolFilter.refuse(Call.find(http), request, ApiException.noSuchRoute());
    }

    @ServerExceptionMapper
    public Response notAllowed(NotAllowedException e, ContainerRequestContext request, RoutingContext http) {
        return notAllowed(request, http);
    }

    private static Response notAllowed(ContainerRequestContext request, RoutingContext http) {
        return ErrorBody.response(
                Call.find(http), request.getHeaderString("accept"), ProtocolFilter.method(request), 405,
                ErrorCode.UNDEFINED, "The method specified is not allowed for this resource.")
                .header("allow", Routes.allowedMethods(http.normalizedPath()))
                .build();
    }

    /** Responds with the status of the exception. Only statuses below 500 come with its message. */
    @ServerExceptionMapper
    public Response other(WebApplicationException e, ContainerRequestContext request, RoutingContext http) {
        int status = e.getResponse().getStatus();
        return ProtocolFilter.refuse(
                Call.find(http), request,
                new ApiException(status, ErrorCode.UNDEFINED, status < 500 ? String.valueOf(e.getMessage()) : ""));
    }

    /**
     * Responds 400 if the body is incomplete, 503 if the database cannot serve the request at present ({@link
     * SqlFault#isTemporary}), and otherwise 500.
     */
    @ServerExceptionMapper
    public Response failed(Throwable e, ContainerRequestContext request, RoutingContext http) {
        if (http.response().ended()) {
            // The HTTP server has responded already, because the body became too large. A second response would be an
            // error.
            return Response.status(http.response().getStatusCode()).build();
        }
        Call call = Call.find(http);
        if (http.response().closed() || Bodies.isBrokenBody(e)) {
            return ProtocolFilter.refuse(call, request, ApiException.badRequest("The body is incomplete."));
        }
        SqlFault fault = SqlFault.of(e);
        if (fault.isTemporary()) {
            long refusals = UNAVAILABLE_LOG.count();
            if (refusals > 0) {
                LOG.warnf("database unavailable: %s requests=%d", e.getMessage(), refusals);
            }
            return ProtocolFilter.refuse(
                    call, request, ApiException.unavailable("The database " + SqlFault.inWords(e) + "."));
        }
        LOG.errorf(e, "request failed request_id=%s", call == null ? "-" : call.requestId());
        return ProtocolFilter.refuse(
                call, request,
                new ApiException(500, ErrorCode.UNDEFINED, "Unexpected failure; the log has it under the request id."));
    }
}
