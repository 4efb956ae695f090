package io.berth.scheduler.nova.rpc;

import io.berth.scheduler.nova.message.Failure;
import java.util.Objects;

/** The failure of a call, with the exception that its caller gets. Has no stack trace. */
public final class RpcFault extends RuntimeException {
    private final transient Failure failure;

    /** @param detail the cause, for Berth's log only */
    RpcFault(Failure failure, String detail) {
        super(detail, null, false, false);
        this.failure = Objects.requireNonNull(failure, "failure");
    }

    /** Returns whether the cause is an internal error of Berth, and not an error of the request. */
    boolean isInternalError() {
        return failure.type().equals("RuntimeError");
    }

    /** Returns the exception for the caller. */
    public Failure failure() {
        return failure;
    }
}
