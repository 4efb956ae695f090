package io.berth.scheduler.http;

/** A request that cannot be served, on its way to the client as its {@link ApiError}. Carries no stack trace. */
public final class ApiFault extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient ApiError error;

    public ApiFault(ApiError error) {
        super(error.detail(), null, false, false);
        this.error = error;
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

    public ApiError error() {
        return error;
    }
}
