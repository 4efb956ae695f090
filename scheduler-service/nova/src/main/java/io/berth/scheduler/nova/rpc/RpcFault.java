package io.berth.scheduler.nova.rpc;

import io.berth.scheduler.nova.message.Failure;
import java.util.Objects;

/** A call that fails, with the exception for its caller. Carries no stack trace. */
public final class RpcFault extends RuntimeException {
    private final transient Failure failure;

    /** @param detail for the log of the service */
    RpcFault(Failure failure, String detail) {
        super(detail, null, false, false);
        this.failure = Objects.requireNonNull(failure, "failure");
    }

    /** Returns whether it is a fault of the service. */
    boolean isOurs() {
        return failure.type().equals("RuntimeError");
    }

    public Failure failure() {
        return failure;
    }
}
