package io.berth.scheduler.http;

/** Every error the scheduler answers, once: its wire code, HTTP status and title. */
public enum ErrorCode {
    /** The body or a parameter is not what the route takes, or the request contradicts itself. */
    REQUEST_INVALID(400, "scheduler.request_invalid", "Bad Request"),
    /** Names that nobody knows; {@code detail} has those that are near. */
    UNKNOWN_ZONE(400, "scheduler.unknown_zone", "Bad Request"),
    UNKNOWN_SERVER_GROUP(400, "scheduler.unknown_server_group", "Bad Request"),
    UNKNOWN_AGGREGATE(400, "scheduler.unknown_aggregate", "Bad Request"),
    UNKNOWN_TRAIT(400, "scheduler.unknown_trait", "Bad Request"),
    UNKNOWN_RESOURCE_CLASS(400, "scheduler.unknown_resource_class", "Bad Request"),
    UNAUTHORIZED(401, "scheduler.unauthorized", "Unauthorized"),
    /** The policy does not let the caller do this. */
    FORBIDDEN(403, "scheduler.forbidden", "Forbidden"),
    NOT_FOUND(404, "scheduler.not_found", "Not Found"),
    METHOD_NOT_ALLOWED(405, "scheduler.method_not_allowed", "Method Not Allowed"),
    NOT_ACCEPTABLE(406, "scheduler.not_acceptable", "Not Acceptable"),
    /** Prefilters, placement, filters or claims left no host. A later try may succeed. */
    NO_VALID_HOST(409, "scheduler.no_valid_host", "Conflict"),
    /** The consumer's allocations were changed by somebody else while the claim was made. */
    ALLOCATION_UPDATE_FAILED(409, "scheduler.allocation_update_failed", "Conflict"),
    /** The instance holds a host, for another request than this one. */
    ALREADY_PLACED(409, "scheduler.already_placed", "Conflict"),
    /** The caller's {@code version} is not the stored one, or somebody works on the same instance. */
    CONCURRENT_UPDATE(409, "scheduler.concurrent_update", "Conflict"),
    /** The name or id is taken, or the record is still in use. */
    CONFLICT(409, "scheduler.conflict", "Conflict"),
    BODY_TOO_LARGE(413, "scheduler.body_too_large", "Request Entity Too Large"),
    URI_TOO_LONG(414, "scheduler.uri_too_long", "Request URI Too Long"),
    MEDIA_TYPE_UNSUPPORTED(415, "scheduler.media_type_unsupported", "Unsupported Media Type"),
    HEADERS_TOO_LARGE(431, "scheduler.headers_too_large", "Request Header Fields Too Large"),
    INTERNAL_ERROR(500, "scheduler.internal_error", "Internal Server Error"),
    /** Too much is under way: decisions, bodies, answers that are not taken. Nothing was begun. */
    OVERLOADED(503, "scheduler.overloaded", "Service Unavailable"),
    PLACEMENT_UNAVAILABLE(503, "scheduler.placement_unavailable", "Service Unavailable"),
    DATABASE_UNAVAILABLE(503, "scheduler.database_unavailable", "Service Unavailable"),
    /** Who asks cannot be found out now. */
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
