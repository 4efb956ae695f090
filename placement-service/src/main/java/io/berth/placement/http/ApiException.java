package io.berth.placement.http;

/**
 * A request that is refused, with what the client is told. Carries no stack trace: it is an answer, not a fault.
 * Endpoints throw it; rules and stores return values.
 */
public final class ApiException extends RuntimeException {
    private final int status;
    private final ErrorCode code;

    public ApiException(int status, ErrorCode code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    public static ApiException badRequest(String message) {
        return new ApiException(400, ErrorCode.UNDEFINED, message);
    }

    public static ApiException forbidden(String message) {
        return new ApiException(403, ErrorCode.UNDEFINED, message);
    }

    public static ApiException notFound(String message) {
        return new ApiException(404, ErrorCode.UNDEFINED, message);
    }

    /** As of a route that this microversion does not have. */
    public static ApiException noSuchRoute() {
        return notFound("");
    }

    public static ApiException conflict(String message) {
        return new ApiException(409, ErrorCode.UNDEFINED, message);
    }

    /** Somebody else wrote first: read again, then retry. */
    public static ApiException concurrentUpdate(String message) {
        return new ApiException(409, ErrorCode.CONCURRENT_UPDATE, message);
    }

    /** The database does not answer; the client may try again. */
    public static ApiException unavailable(String message) {
        return new ApiException(503, ErrorCode.UNDEFINED, message);
    }

    public int status() {
        return status;
    }

    public ErrorCode code() {
        return code;
    }
}
