package io.berth.scheduler.http;

import io.berth.database.SqlFault;
import java.util.concurrent.CompletionException;

/** Signals that a request cannot be served; the client gets its {@link ApiError}. It has no stack trace. */
public final class ApiFault extends RuntimeException {
    private final transient ApiError error;
    private final boolean passing;

    public ApiFault(ApiError error) {
        this(error, error.code().status() == 503);
    }

    private ApiFault(ApiError error, boolean passing) {
        super(error.detail(), null, false, false);
        this.error = error;
        this.passing = passing;
    }

    public ApiFault(ErrorCode code, String detail) {
        this(new ApiError(code, detail));
    }

    /** Returns this fault with the id of the decision's record, unless it has an explanation already. */
    public ApiFault recordedAs(String decisionId) {
        if (error.explanationJson() != null) {
            return this;
        }
        String result = error.code() == ErrorCode.NO_VALID_HOST ? "no_valid_host" : "error";
        return new ApiFault(new ApiError(
                error.code(), error.detail(),
                "{\"decision_id\":\"%s\",\"result\":\"%s\",\"instances\":[]}".formatted(decisionId, result)), passing);
    }

    public static ApiFault invalid(String detail) {
        return new ApiFault(ErrorCode.REQUEST_INVALID, detail);
    }

    public static ApiFault notFound(String detail) {
        return new ApiFault(ErrorCode.NOT_FOUND, detail);
    }

    /** @param why as far as it is known */
    public static ApiFault placementAway(String why) {
        return new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer: " + why);
    }

    /** Returns a fault for a conflict with work in flight: the same call may succeed later. */
    public static ApiFault underWay(String detail) {
        return underWay(new ApiError(ErrorCode.CONCURRENT_UPDATE, detail));
    }

    /** Returns a fault for a conflict with work in flight, with an explanation. */
    public static ApiFault underWay(ApiError error) {
        return new ApiFault(error, true);
    }

    /** Returns the error to send for any failure of a request; {@link ErrorCode#INTERNAL_ERROR} if it is a bug. */
    public static ApiError errorOf(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof ApiFault fault) {
            return fault.error();
        }
        SqlFault fault = SqlFault.of(cause);
        return fault.isPassing()
                ? new ApiError(ErrorCode.DATABASE_UNAVAILABLE, "the database " + SqlFault.inWords(cause))
                : new ApiError(ErrorCode.INTERNAL_ERROR, "internal error; the log has the request id");
    }

    static Throwable unwrap(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Returns whether the same call may succeed later. */
    public boolean isPassing() {
        return passing;
    }

    public ApiError error() {
        return error;
    }
}
