package io.berth.placement.http;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * Refuses a request with an error response. Endpoints, and the parsers, searches and limits that they call, throw this
 * exception; stores and the ledger return their refusals as values. Has no stack trace, because a refusal is not a
 * fault of the service.
 */
public final class ApiException extends RuntimeException {
    private final int status;
    private final ErrorCode code;
    private final @Nullable ConsumerFence fence;

    public ApiException(int status, ErrorCode code, String message) {
        this(status, code, message, null);
    }

    private ApiException(int status, ErrorCode code, String message, @Nullable ConsumerFence fence) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
        this.fence = fence;
    }

    /**
     * The consumer whose fence refused the client's write. The fence is the highest fencing token of the consumer's
     * writes and settlements so far. A write with the same or a lower token is refused, unless it repeats the
     * consumer's last write; a settlement with a lower token is refused.
     *
     * @param fence the consumer's present fence
     */
    public record ConsumerFence(UUID consumer, long fence) {}

    /** Returns a 400: the request is invalid. */
    public static ApiException badRequest(String message) {
        return new ApiException(400, ErrorCode.UNDEFINED, message);
    }

    /** Returns a 403: the policy does not allow the operation. */
    public static ApiException forbidden(String message) {
        return new ApiException(403, ErrorCode.UNDEFINED, message);
    }

    /** Returns a 404: the object in the path does not exist. */
    public static ApiException notFound(String message) {
        return new ApiException(404, ErrorCode.UNDEFINED, message);
    }

    /** Returns a 404 for a route that does not exist, or not at the request's microversion. */
    public static ApiException noSuchRoute() {
        return notFound("");
    }

    /** Returns a 409: the present state does not allow the change. */
    public static ApiException conflict(String message) {
        return new ApiException(409, ErrorCode.UNDEFINED, message);
    }

    /**
     * Returns a 409 with {@link ErrorCode#CONCURRENT_UPDATE}, in most cases because a generation in the request is out
     * of date. The client must read the object again before it retries.
     */
    public static ApiException concurrentUpdate(String message) {
        return new ApiException(409, ErrorCode.CONCURRENT_UPDATE, message);
    }

    /**
     * Returns a 409: the fencing token of a write or settlement is too low, see {@link ConsumerFence}.
     *
     * @param fence the consumer's present fence
     */
    public static ApiException fenced(UUID consumer, long fence, String message) {
        return new ApiException(409, ErrorCode.FENCED, message, new ConsumerFence(consumer, fence));
    }

    /**
     * Returns a 503: the service cannot serve the request at present, for example because the database does not
     * respond. The client may retry.
     */
    public static ApiException unavailable(String message) {
        return new ApiException(503, ErrorCode.UNDEFINED, message);
    }

    public int status() {
        return status;
    }

    public ErrorCode code() {
        return code;
    }

    /** Returns the fence that refused the write; null for other refusals. */
    @Nullable ConsumerFence fence() {
        return fence;
    }
}
