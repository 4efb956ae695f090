package io.berth.scheduler.http;

/** A request that cannot be served, on its way to the client as its {@link ApiError}. Carries no stack trace. */
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

    /** Somebody works on the same: the same call will do in a while. */
    public static ApiFault underWay(String detail) {
        return new ApiFault(new ApiError(ErrorCode.CONCURRENT_UPDATE, detail), true);
    }

    /** Whether the same call may do better in a while. */
    public boolean isPassing() {
        return passing;
    }

    public ApiError error() {
        return error;
    }
}
