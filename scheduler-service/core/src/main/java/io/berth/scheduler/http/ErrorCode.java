package io.berth.scheduler.http;

/** Every error the scheduler answers, once: its wire code, HTTP status and title. */
public enum ErrorCode {
    /**
     * The body or a parameter is not what the route takes, or the request contradicts itself.
     * <br>Remedy: change what {@code detail} names; the same request is refused again.
     */
    REQUEST_INVALID(400, "scheduler.request_invalid", "Bad Request"),
    /**
     * The request names an availability zone that no host aggregate has; {@code detail} has those that are near.
     * <br>Remedy: name one that is there, or give an aggregate the metadata {@code availability_zone}. With
     * {@code berth.scheduler.strict-names=false} such a request passes, as in nova.
     */
    UNKNOWN_ZONE(400, "scheduler.unknown_zone", "Bad Request"),
    /**
     * The request names a server group that is not registered, and brings no policy along. Moves ignore one that is gone.
     * <br>Remedy: register it ({@code PUT /v1/server_groups/{uuid}}), or send {@code instance_group} with a policy.
     */
    UNKNOWN_SERVER_GROUP(400, "scheduler.unknown_server_group", "Bad Request"),
    /**
     * The request names an aggregate that nobody knows: of its destination, also as a forbidden one, or of a requested group.
     * <br>Remedy: register it ({@code PUT /v1/host_aggregates/{uuid}}), or name one that is there.
     */
    UNKNOWN_AGGREGATE(400, "scheduler.unknown_aggregate", "Bad Request"),
    /**
     * The flavor or image requires or forbids a trait that placement does not have.
     * <br>Remedy: mend its name, or create it in placement ({@code PUT /traits/CUSTOM_...}).
     */
    UNKNOWN_TRAIT(400, "scheduler.unknown_trait", "Bad Request"),
    /**
     * The request asks for a resource class that placement does not have.
     * <br>Remedy: mend its name, or create it in placement ({@code PUT /resource_classes/CUSTOM_...}).
     */
    UNKNOWN_RESOURCE_CLASS(400, "scheduler.unknown_resource_class", "Bad Request"),
    /**
     * There are no credentials, or none that {@code berth.auth.strategy} accepts; {@code WWW-Authenticate} says which.
     * <br>Remedy: send a token or a password that is valid now.
     */
    UNAUTHORIZED(401, "scheduler.unauthorized", "Unauthorized"),
    /**
     * The policy does not let the caller do this; {@code detail} names the rule.
     * <br>Remedy: take an account with a role that the rule wants, or change the rule ({@code berth.policy.file}).
     */
    FORBIDDEN(403, "scheduler.forbidden", "Forbidden"),
    /**
     * There is no such route, or no such record.
     * <br>Remedy: look at the path; list the collection to see what is registered.
     */
    NOT_FOUND(404, "scheduler.not_found", "Not Found"),
    /**
     * The route is there, but does not take this method; {@code Allow} lists those that it takes.
     * <br>Remedy: use one of them.
     */
    METHOD_NOT_ALLOWED(405, "scheduler.method_not_allowed", "Method Not Allowed"),
    /**
     * {@code Accept} excludes JSON.
     * <br>Remedy: accept {@code application/json}.
     */
    NOT_ACCEPTABLE(406, "scheduler.not_acceptable", "Not Acceptable"),
    /**
     * Prefilters, placement, filters or claims left no host; {@code explanation} says which, and which host came
     * nearest.
     * <br>Remedy: ask for less or for other things, or make room; a later try may succeed.
     */
    NO_VALID_HOST(409, "scheduler.no_valid_host", "Conflict"),
    /**
     * The consumer's allocations were changed by somebody else while the claim was made.
     * <br>Remedy: look who else places this instance; then send the request again.
     */
    ALLOCATION_UPDATE_FAILED(409, "scheduler.allocation_update_failed", "Conflict"),
    /**
     * The instance holds a host, for another request than this one.
     * <br>Remedy: move it ({@code POST /v1/moves}), or delete it first.
     */
    ALREADY_PLACED(409, "scheduler.already_placed", "Conflict"),
    /**
     * The caller's {@code version} is not the stored one; or another request that places, moves or deletes the instance is
     * under way.
     * <br>Remedy: read the record again and repeat the change on it; where {@code Retry-After} is sent, after that.
     */
    CONCURRENT_UPDATE(409, "scheduler.concurrent_update", "Conflict"),
    /**
     * The name or id is taken, the record is still in use, the {@code Idempotency-Key} was used for other instances, or
     * the move does not fit what the instance holds.
     * <br>Remedy: take another name or key, or remove first what {@code detail} names.
     */
    CONFLICT(409, "scheduler.conflict", "Conflict"),
    /**
     * Several instances have the name; {@code candidates} lists them with uuid and host.
     * <br>Remedy: send the uuid of the one that is meant.
     */
    AMBIGUOUS_NAME(409, "scheduler.ambiguous_name", "Conflict"),
    /**
     * The stored record is not the one that {@code If-Match} names.
     * <br>Remedy: read the record again, and repeat the change on it with the {@code ETag} of that answer.
     */
    PRECONDITION_FAILED(412, "scheduler.precondition_failed", "Precondition Failed"),
    /**
     * The body is larger than the route takes.
     * <br>Remedy: send less at a time, or raise {@code berth.body-size-max} or
     * {@code quarkus.http.limits.max-body-size}.
     */
    BODY_TOO_LARGE(413, "scheduler.body_too_large", "Request Entity Too Large"),
    /**
     * Path and query are longer than 64 KiB ({@code quarkus.http.limits.max-initial-line-length}).
     * <br>Remedy: ask for fewer things at a time.
     */
    URI_TOO_LONG(414, "scheduler.uri_too_long", "Request URI Too Long"),
    /**
     * The body is of another type than JSON, or says nothing of its type.
     * <br>Remedy: send {@code Content-Type: application/json}.
     */
    MEDIA_TYPE_UNSUPPORTED(415, "scheduler.media_type_unsupported", "Unsupported Media Type"),
    /**
     * The headers are larger than the service takes.
     * <br>Remedy: send fewer or shorter ones; large tokens are the usual cause.
     */
    HEADERS_TOO_LARGE(431, "scheduler.headers_too_large", "Request Header Fields Too Large"),
    /**
     * A fault of the service.
     * <br>Remedy: look for {@code request_id} in the log, and report what stands there.
     */
    INTERNAL_ERROR(500, "scheduler.internal_error", "Internal Server Error"),
    /**
     * The question or the move needs what OpenStack's own Placement does not have.
     * <br>Remedy: send it to a scheduler whose {@code berth.placement-url} is Berth's placement. Simulations and dry runs work
     * with any Placement.
     */
    NEEDS_BERTH_PLACEMENT(501, "scheduler.needs_berth_placement", "Not Implemented"),
    /**
     * Too much is under way: decisions, bodies, answers that are not taken. Nothing was begun.
     * <br>Remedy: send it again after {@code Retry-After}; more replicas or heap, or a larger
     * {@code berth.decisions-max}, if it lasts.
     */
    OVERLOADED(503, "scheduler.overloaded", "Service Unavailable"),
    /**
     * Placement does not answer, or refuses the scheduler.
     * <br>Remedy: send it again after {@code Retry-After}; see {@code /q/health/well} and {@code berth.placement-url}.
     */
    PLACEMENT_UNAVAILABLE(503, "scheduler.placement_unavailable", "Service Unavailable"),
    /**
     * The database does not answer, is not the primary, or lacks what Berth needs: {@code detail} says which.
     * <br>Remedy: send it again after {@code Retry-After}; see {@code /q/health/ready}.
     */
    DATABASE_UNAVAILABLE(503, "scheduler.database_unavailable", "Service Unavailable"),
    /**
     * Who asks cannot be found out now: Keystone or the OpenID Connect provider does not answer, a proxy answers in its
     * place, or the provider refuses the service's own client; the log says which.
     * <br>Remedy: send it again after {@code Retry-After}; see {@code berth.auth.keystone.url} or
     * {@code quarkus.oidc.auth-server-url}.
     */
    IDENTITY_UNAVAILABLE(503, "scheduler.identity_unavailable", "Service Unavailable");

    private final int status;
    private final String code;
    private final String title;

    ErrorCode(int status, String code, String title) {
        this.status = status;
        this.code = code;
        this.title = title;
    }

    public int status() {
        return status;
    }

    public String code() {
        return code;
    }

    public String title() {
        return title;
    }
}
