package io.berth.scheduler.http;

import io.berth.database.SqlFault;
import java.util.concurrent.CompletionException;

/** Ends a request with an {@link ApiError} as its response. Has no stack trace, because a refusal is no bug. */
public final class ApiFault extends RuntimeException {
    private final transient ApiError error;
    /** True if the same request may succeed later. */
    private final boolean isTransient;

    /** Creates a fault that is transient if its status is 503. */
    public ApiFault(ApiError error) {
        this(error, error.code().status() == 503);
    }

    private ApiFault(ApiError error, boolean isTransient) {
        super(error.detail(), null, false, false);
        this.error = error;
        this.isTransient = isTransient;
    }

    public ApiFault(ErrorCode code, String detail) {
        this(new ApiError(code, detail));
    }

    /**
     * Returns this fault with an explanation that has the id of the decision record and the result, but no instances;
     * unchanged if it has an explanation.
     */
    public ApiFault recordedAs(String decisionId) {
        if (error.explanationJson() != null) {
            return this;
        }
        String result = error.code() == ErrorCode.NO_VALID_HOST ? "no_valid_host" : "error";
        return new ApiFault(new ApiError(
                error.code(), error.detail(),
                "{\"decision_id\":\"%s\",\"result\":\"%s\",\"instances\":[]}".formatted(decisionId, result)),
                isTransient);
    }

    /** Returns a fault with status 400. */
    public static ApiFault invalid(String detail) {
        return new ApiFault(ErrorCode.REQUEST_INVALID, detail);
    }

    /** Returns a fault with status 404. */
    public static ApiFault notFound(String detail) {
        return new ApiFault(ErrorCode.NOT_FOUND, detail);
    }

    /**
     * Returns a fault (503) for a placement that does not respond, or whose response cannot be used.
     *
     * @param why the cause, such as the result of the last attempt
     */
    public static ApiFault placementAway(String why) {
        return new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, "placement is unavailable: " + why);
    }

    /** Returns a fault (409 with {@code Retry-After}) for a conflict with a request in flight. */
    public static ApiFault conflictInFlight(String detail) {
        return conflictInFlight(new ApiError(ErrorCode.CONCURRENT_UPDATE, detail));
    }

    /** Like {@link #conflictInFlight(String)}, for an error with an explanation. */
    public static ApiFault conflictInFlight(ApiError error) {
        return new ApiFault(error, true);
    }

    /**
     * Returns the error response for any failure of a request: that of an ApiFault;
     * {@link ErrorCode#DATABASE_UNAVAILABLE} for a transient error of the database. Any other failure is a bug:
     * {@link ErrorCode#INTERNAL_ERROR}.
     */
    public static ApiError errorOf(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof ApiFault fault) {
            return fault.error();
        }
        SqlFault fault = SqlFault.of(cause);
        return fault.isTemporary()
                ? new ApiError(ErrorCode.DATABASE_UNAVAILABLE, "the database " + SqlFault.inWords(cause))
                : new ApiError(ErrorCode.INTERNAL_ERROR, "internal error; the log has the request id");
    }

    static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Returns whether the same request may succeed later; the response then has {@code Retry-After}. */
    public boolean isRetryable() {
        return isTransient;
    }

    public ApiError error() {
        return error;
    }
}
