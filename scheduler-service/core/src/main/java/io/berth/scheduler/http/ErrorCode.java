package io.berth.scheduler.http;

/** All errors that the scheduler returns, with their HTTP status, code and title. */
public enum ErrorCode {
    /**
     * The body or a parameter is invalid for the route, or the request contradicts itself.
     * <br>Remedy: change what {@code detail} names; the same request is refused again.
     */
    REQUEST_INVALID(400, "scheduler.request_invalid", "Bad Request"),
    /**
     * The request names an availability zone that no host aggregate has; {@code detail} has similar names. A move
     * ignores such a zone, which may have been deleted.
     * <br>Remedy: name an existing zone, or give an aggregate the metadata {@code availability_zone}. With
     * {@code berth.scheduler.strict-names=false} such a request is accepted, as in nova.
     */
    UNKNOWN_ZONE(400, "scheduler.unknown_zone", "Bad Request"),
    /**
     * The request names a server group that is not registered, without a policy. Moves ignore a group that was deleted.
     * <br>Remedy: register the group ({@code PUT /v1/server_groups/{uuid}}), or send {@code instance_group} with a
     * policy. With {@code berth.scheduler.strict-names=false} the group is not checked.
     */
    UNKNOWN_SERVER_GROUP(400, "scheduler.unknown_server_group", "Bad Request"),
    /**
     * The request names an unknown aggregate in its destination, as required or forbidden, or in a requested group.
     * <br>Remedy: register the aggregate ({@code PUT /v1/host_aggregates/{uuid}}), or name an existing one. With
     * {@code berth.scheduler.strict-names=false} aggregates are not checked.
     */
    UNKNOWN_AGGREGATE(400, "scheduler.unknown_aggregate", "Bad Request"),
    /**
     * The request, usually its flavor or image, requires or forbids a trait that placement does not have.
     * <br>Remedy: correct the trait's name, or create the trait in placement ({@code PUT /traits/CUSTOM_...}). With
     * {@code berth.scheduler.strict-names=false} the error is {@code scheduler.no_valid_host}.
     */
    UNKNOWN_TRAIT(400, "scheduler.unknown_trait", "Bad Request"),
    /**
     * The request asks for a resource class that placement does not have.
     * <br>Remedy: correct the name, or create the class in placement ({@code PUT /resource_classes/CUSTOM_...}). With
     * {@code berth.scheduler.strict-names=false} the error is {@code scheduler.no_valid_host}.
     */
    UNKNOWN_RESOURCE_CLASS(400, "scheduler.unknown_resource_class", "Bad Request"),
    /**
     * The credentials are missing, or {@code berth.auth.strategy} does not accept them; {@code WWW-Authenticate} has
     * the accepted scheme.
     * <br>Remedy: send a token or a password that is valid now.
     */
    UNAUTHORIZED(401, "scheduler.unauthorized", "Unauthorized"),
    /**
     * The policy does not allow this for the caller; {@code detail} names the rule.
     * <br>Remedy: use an account with a role that the rule requires, or change the rule ({@code berth.policy.file}).
     */
    FORBIDDEN(403, "scheduler.forbidden", "Forbidden"),
    /**
     * The route or the record does not exist.
     * <br>Remedy: check the path; list the collection to see what is registered.
     */
    NOT_FOUND(404, "scheduler.not_found", "Not Found"),
    /**
     * The route does not support this method; the header {@code Allow} lists the supported methods.
     * <br>Remedy: use a supported method.
     */
    METHOD_NOT_ALLOWED(405, "scheduler.method_not_allowed", "Method Not Allowed"),
    /**
     * {@code Accept} excludes JSON.
     * <br>Remedy: accept {@code application/json}.
     */
    NOT_ACCEPTABLE(406, "scheduler.not_acceptable", "Not Acceptable"),
    /**
     * Prefilters, placement, filters or claims left no host; {@code explanation} has the details as far as they are
     * known, such as the nearest host.
     * <br>Remedy: request less or other resources, or free capacity; a later attempt may succeed.
     */
    NO_VALID_HOST(409, "scheduler.no_valid_host", "Conflict"),
    /**
     * Another client changed the instance's allocations before or during the claim.
     * <br>Remedy: find the other client that places this instance; then send the request again.
     */
    ALLOCATION_UPDATE_FAILED(409, "scheduler.allocation_update_failed", "Conflict"),
    /**
     * The instance holds allocations on a host from another request.
     * <br>Remedy: move the instance ({@code POST /v1/moves}), delete it first, or send {@code keep_allocations} to
     * claim in addition to its allocations.
     */
    ALREADY_PLACED(409, "scheduler.already_placed", "Conflict"),
    /**
     * Another client changed the record or the provider: the caller's {@code version} or {@code generation} is not the
     * stored one. Or another request that places, moves or deletes the instance is in flight.
     * <br>Remedy: read the record again and repeat the change on it; if {@code Retry-After} is sent, after that time.
     */
    CONCURRENT_UPDATE(409, "scheduler.concurrent_update", "Conflict"),
    /**
     * The request contradicts stored records or the configuration; {@code detail} has the reason. For example, the name
     * or id is taken, the record is still in use, the maximum number of records exists, the {@code Idempotency-Key} was
     * used for other instances, or the move does not match the instance's allocations.
     * <br>Remedy: use another name or key, or first remove the cause that {@code detail} names.
     */
    CONFLICT(409, "scheduler.conflict", "Conflict"),
    /**
     * Several instances have the name; {@code candidates} lists them with uuid and host.
     * <br>Remedy: send the uuid of the instance.
     */
    AMBIGUOUS_NAME(409, "scheduler.ambiguous_name", "Conflict"),
    /**
     * The stored record does not match the header {@code If-Match}.
     * <br>Remedy: read the record again, and repeat the change on it with the {@code ETag} of that response.
     */
    PRECONDITION_FAILED(412, "scheduler.precondition_failed", "Precondition Failed"),
    /**
     * The body has more bytes, elements or references than the route permits.
     * <br>Remedy: send less at a time, or, for a limit of bytes, raise {@code berth.body-size-max} or
     * {@code quarkus.http.limits.max-body-size}.
     */
    BODY_TOO_LARGE(413, "scheduler.body_too_large", "Request Entity Too Large"),
    /**
     * Path and query are longer than 64 KiB ({@code quarkus.http.limits.max-initial-line-length}).
     * <br>Remedy: request fewer things at a time.
     */
    URI_TOO_LONG(414, "scheduler.uri_too_long", "Request URI Too Long"),
    /**
     * The body has a type other than JSON, or no type.
     * <br>Remedy: send {@code Content-Type: application/json}.
     */
    MEDIA_TYPE_UNSUPPORTED(415, "scheduler.media_type_unsupported", "Unsupported Media Type"),
    /**
     * The headers are larger than the service's limit.
     * <br>Remedy: send fewer or shorter headers; large tokens are the usual cause.
     */
    HEADERS_TOO_LARGE(431, "scheduler.headers_too_large", "Request Header Fields Too Large"),
    /**
     * The service has a bug.
     * <br>Remedy: look for {@code request_id} in the log, and report the entry.
     */
    INTERNAL_ERROR(500, "scheduler.internal_error", "Internal Server Error"),
    /**
     * The request needs a feature that OpenStack's own Placement does not have: to claim hosts for a placement,
     * reschedule or move, to analyze or show the whole fleet, or to audit placement.
     * <br>Remedy: send the request to a scheduler whose {@code berth.placement-url} is Berth's placement. Simulations,
     * explanations and dry runs work with any Placement.
     */
    NEEDS_BERTH_PLACEMENT(501, "scheduler.needs_berth_placement", "Not Implemented"),
    /**
     * Too many decisions, analyses, bodies, sign-ins, heartbeats or unread responses are in flight, or they use the
     * memory that the request needs. The request had no effect.
     * <br>Remedy: send the request again after {@code Retry-After}; more replicas or heap, or a larger
     * {@code berth.decisions-max}, if it lasts.
     */
    OVERLOADED(503, "scheduler.overloaded", "Service Unavailable"),
    /**
     * Placement does not respond in time, responds with a server error, or refuses the scheduler's credentials. Or the
     * outcome of this or of an earlier request for the instance is not known yet.
     * <br>Remedy: send the request again after {@code Retry-After}; see {@code /q/health/well} and
     * {@code berth.placement-url}.
     */
    PLACEMENT_UNAVAILABLE(503, "scheduler.placement_unavailable", "Service Unavailable"),
    /**
     * The database does not respond, is not the primary, or lacks something that Berth needs; {@code detail} has the
     * reason.
     * <br>Remedy: send the request again after {@code Retry-After}; see {@code /q/health/ready}.
     */
    DATABASE_UNAVAILABLE(503, "scheduler.database_unavailable", "Service Unavailable"),
    /**
     * The caller cannot be identified now: Keystone or the OpenID Connect provider does not respond, a proxy responds
     * in its place, or the provider refuses the service's own client; the log has the reason.
     * <br>Remedy: send the request again after {@code Retry-After}; see {@code berth.auth.keystone.url} or
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
