package io.berth.scheduler.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.berth.http.Bodies;
import io.berth.observability.CountingLogThrottle;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Inject;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Maps all exceptions that end a request to error responses ({@link ApiError}). */
class ErrorMappers {
    private static final Logger LOG = Logger.getLogger(ErrorMappers.class);
    private static final CountingLogThrottle DATABASE_LOG_THROTTLE = new CountingLogThrottle();
    /** Value of the header {@code Retry-After}, in seconds, for all errors after which the same request may succeed. */
    static final String RETRY_AFTER_SECONDS = "2";

    @Inject
    CurrentVertxRequest current;

    @ServerExceptionMapper
    Response fault(ApiFault fault) {
        return builder(fault.error(), fault.isRetryable()).build();
    }

    @ServerExceptionMapper
    Response unreadable(JsonProcessingException notJson) {
        return respond(new ApiError(ErrorCode.REQUEST_INVALID, JsonBody.describeSyntaxError(notJson)));
    }

    /** Maps errors that JAX-RS itself raises, such as for an unknown path, method or media type. */
    @ServerExceptionMapper
    Response refused(WebApplicationException refused) {
        int status = refused.getResponse().getStatus();
        ApiError error = switch (status) {
            case 404 -> new ApiError(ErrorCode.NOT_FOUND, "there is no such route or record");
            case 405 -> new ApiError(ErrorCode.METHOD_NOT_ALLOWED, "the route does not support this method");
            case 406 -> new ApiError(ErrorCode.NOT_ACCEPTABLE, "responses are application/json");
            case 413 -> new ApiError(ErrorCode.BODY_TOO_LARGE, "the body is too large");
            case 415 -> new ApiError(ErrorCode.MEDIA_TYPE_UNSUPPORTED, "bodies must be application/json");
            case 401 -> new ApiError(ErrorCode.UNAUTHORIZED, "not authenticated");
            case 403 -> new ApiError(ErrorCode.FORBIDDEN, "not allowed");
            default -> status < 500
                    ? new ApiError(ErrorCode.REQUEST_INVALID, "the request cannot be read")
                    : new ApiError(ErrorCode.INTERNAL_ERROR, "internal error");
        };
        Response.ResponseBuilder response = builder(error, error.code().status() == 503);
        Object allow = refused.getResponse().getHeaders().getFirst(HttpHeaders.ALLOW);
        if (allow != null) {
            response.header(HttpHeaders.ALLOW, allow);
        }
        return response.build();
    }

    @ServerExceptionMapper
    Response unexpected(Throwable failure) {
        Throwable cause = ApiFault.unwrap(failure);
        if (cause instanceof ApiFault fault) {
            return fault(fault);
        }
        RoutingContext http = current.getCurrent();
        if (http != null && http.response().ended()) {
            // The connection guard has already sent the response (413) for a body that exceeded its limit.
            return Response.status(http.response().getStatusCode()).build();
        }
        // The client disconnected or sent an invalid chunk: this is no bug to log.
        if (Bodies.isBrokenBody(cause) || http != null && http.response().closed()) {
            return respond(new ApiError(ErrorCode.REQUEST_INVALID, "the body is incomplete"));
        }
        ApiError error = ApiFault.errorOf(cause);
        if (error.code() == ErrorCode.INTERNAL_ERROR) {
            LOG.errorf(cause, "unexpected failure request=%s", requestId());
        } else {
            // The number of requests since the last log line; 0 if it is too early for the next line.
            long refused = DATABASE_LOG_THROTTLE.count();
            if (refused > 0) {
                LOG.warnf("database unavailable request=%s cause=%s requests=%d", requestId(), cause, refused);
            }
        }
        return respond(error);
    }

    private Response respond(ApiError error) {
        return builder(error, error.code().status() == 503).build();
    }

    private Response.ResponseBuilder builder(ApiError error, boolean isTransient) {
        Response.ResponseBuilder response = Response.status(error.code().status())
                .type(MediaType.APPLICATION_JSON_TYPE)
                .entity(error.render(requestId()));
        return isTransient ? response.header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS) : response;
    }

    private String requestId() {
        return RequestId.of(current.getCurrent());
    }
}
