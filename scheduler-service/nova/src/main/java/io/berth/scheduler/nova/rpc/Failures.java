package io.berth.scheduler.nova.rpc;

import io.berth.database.SqlFault;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.nova.message.Failure;
import io.berth.scheduler.selection.SelectionOutcome;

/**
 * Converts failed requests to the exceptions that nova's conductor catches. nova shows the message to users, so most
 * messages are those of nova-scheduler; Berth's detail goes to the log.
 * <br>Source: nova {@code scheduler/manager.py}, {@code exception.py}.
 */
final class Failures {
    private static final String NOT_ENOUGH = "There are not enough hosts available.";
    /** nova's reason if placement returned no candidates or did not respond. */
    private static final String NO_REASON = "";
    private static final String POLICY = "server group policy ";

    private Failures() {}

    /**
     * Converts a decision without a host.
     *
     * @param fault the same failure as an error of the REST API
     * @param instance uuid of the request's first instance; empty if the request names none
     */
    static RpcFault of(SelectionOutcome.Failure failure, ApiFault fault, String instance) {
        return new RpcFault(switch (fault.error().code()) {
            case NO_VALID_HOST -> Failure.noValidHost(reason(failure));
            case REQUEST_INVALID -> fault.error().detail().startsWith(POLICY)
                    ? Failure.unsupportedPolicy(fault.error().detail())
                    : Failure.requestFilterFailed(fault.error().detail());
            case ALLOCATION_UPDATE_FAILED, CONCURRENT_UPDATE ->
                Failure.allocationUpdateFailed(instance, fault.error().detail());
            default -> Failure.noValidHost(NO_REASON);
        }, fault.error().detail());
    }

    private static String reason(SelectionOutcome.Failure failure) {
        return switch (failure) {
            case SelectionOutcome.NoCandidates _ -> NO_REASON;
            case SelectionOutcome.Failed failed when failed.reason() != null -> failed.reason();
            case SelectionOutcome.Failed _, SelectionOutcome.Refused _ -> NOT_ENOUGH;
        };
    }

    /** Converts any other failure of a call. A temporary failure becomes NoValidHost, as in nova-scheduler. */
    static RpcFault of(Throwable failure) {
        if (failure instanceof RpcFault known) {
            return known;
        }
        if (failure instanceof ApiFault fault) {
            String detail = fault.error().detail();
            return new RpcFault(
                    fault.isPassing()
                            ? Failure.noValidHost(NO_REASON)
                            : Failure.valueError(detail),
                    detail);
        }
        SqlFault fault = SqlFault.of(failure);
        return fault.isPassing()
                ? new RpcFault(Failure.noValidHost(NO_REASON), failure.toString())
                : new RpcFault(Failure.runtimeError("internal error of the scheduler"), failure.toString());
    }

    /**
     * Returns the failure of the last attempt, which Mutiny wraps in an IllegalStateException when the time for
     * attempts is over.
     */
    static Throwable last(Throwable failure) {
        return failure instanceof IllegalStateException && failure.getCause() != null && isPassing(failure.getCause())
                ? failure.getCause()
                : failure;
    }

    /** Returns whether the same call may succeed later. */
    static boolean isPassing(Throwable failure) {
        return failure instanceof ApiFault fault ? fault.isPassing() : SqlFault.of(failure).isPassing();
    }
}
