package io.berth.placement.http;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * Refuses a request; carries the content of the error response. Has no stack trace, because it is a response, not a
 * fault. Endpoints throw it; rules and stores return values.
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
     * The consumer whose fence refused the client's write.
     *
     * @param fence the consumer's present fence
     */
    public record ConsumerFence(UUID consumer, long fence) {}

    public static ApiException badRequest(String message) {
        return new ApiException(400, ErrorCode.UNDEFINED, message);
    }

    public static ApiException forbidden(String message) {
        return new ApiException(403, ErrorCode.UNDEFINED, message);
    }

    public static ApiException notFound(String message) {
        return new ApiException(404, ErrorCode.UNDEFINED, message);
    }

    /** Returns the error of a route that this microversion does not have. */
    public static ApiException noSuchRoute() {
        return notFound("");
    }

    public static ApiException conflict(String message) {
        return new ApiException(409, ErrorCode.UNDEFINED, message);
    }

    /** Another client wrote first: the client must read again, then retry. */
    public static ApiException concurrentUpdate(String message) {
        return new ApiException(409, ErrorCode.CONCURRENT_UPDATE, message);
    }

    /**
     * The number of a write or settlement is too low.
     *
     * @param fence the consumer's present fence
     */
    public static ApiException fenced(UUID consumer, long fence, String message) {
        return new ApiException(409, ErrorCode.FENCED, message, new ConsumerFence(consumer, fence));
    }

    /**
     * The service cannot serve the request at present, for example because the database does not respond. The client
     * may retry.
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

    /** Returns null for a refusal that does not concern a fence. */
    @Nullable ConsumerFence fence() {
        return fence;
    }
}
