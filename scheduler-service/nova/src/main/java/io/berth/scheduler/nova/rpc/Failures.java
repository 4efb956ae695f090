package io.berth.scheduler.nova.rpc;

import io.berth.database.SqlFault;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.nova.message.Failure;
import io.berth.scheduler.selection.SelectionOutcome;

/**
 * Converts failed requests to the exceptions that nova's conductor catches. nova shows the message to users, so a
 * NoValidHost has the same message as in nova-scheduler, and Berth's detail is only logged. The other exceptions
 * contain the detail, except that of an internal error.
 * <br>Source: nova {@code scheduler/manager.py}, {@code exception.py}.
 */
final class Failures {
    private static final String NOT_ENOUGH_HOSTS = "There are not enough hosts available.";
    /**
     * The reason if placement returned no candidates, as in nova, and if the failure says nothing about hosts, such as
     * an unavailable placement or database.
     */
    private static final String NO_REASON = "";
    /** The beginning of the detail of an invalid request whose server group has an unsupported policy. */
    private static final String POLICY_DETAIL_PREFIX = "server group policy ";

    private Failures() {}

    /**
     * Converts the failure of a decision.
     *
     * @param fault the failure as an error of the REST API
     * @param instance uuid of the request's first instance; empty if the request names none
     */
    static RpcFault of(SelectionOutcome.Failure failure, ApiFault fault, String instance) {
        return new RpcFault(switch (fault.error().code()) {
            case NO_VALID_HOST -> Failure.noValidHost(reason(failure));
            // With strict names, nova and its user get the name that does not exist.
            case UNKNOWN_ZONE, UNKNOWN_SERVER_GROUP, UNKNOWN_AGGREGATE, UNKNOWN_TRAIT, UNKNOWN_RESOURCE_CLASS ->
                Failure.requestFilterFailed(fault.error().detail());
            case REQUEST_INVALID -> fault.error().detail().startsWith(POLICY_DETAIL_PREFIX)
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
            case SelectionOutcome.Failed _, SelectionOutcome.Refused _ -> NOT_ENOUGH_HOSTS;
        };
    }

    /**
     * Converts any other failure of a call; returns an RpcFault unchanged. A temporary failure becomes NoValidHost, as
     * in nova-scheduler; otherwise, an ApiFault becomes ValueError, and any other failure RuntimeError.
     */
    static RpcFault of(Throwable failure) {
        if (failure instanceof RpcFault rpcFault) {
            return rpcFault;
        }
        if (failure instanceof ApiFault fault) {
            String detail = fault.error().detail();
            return new RpcFault(
                    fault.isRetryable()
                            ? Failure.noValidHost(NO_REASON)
                            : Failure.valueError(detail),
                    detail);
        }
        SqlFault fault = SqlFault.of(failure);
        return fault.isTemporary()
                ? new RpcFault(Failure.noValidHost(NO_REASON), failure.toString())
                : new RpcFault(Failure.runtimeError("internal error of the scheduler"), failure.toString());
    }

    /**
     * Returns the failure of the last attempt. When the time for attempts is over, Mutiny wraps this failure in an
     * IllegalStateException. Any other failure is returned unchanged.
     */
    static Throwable lastFailure(Throwable failure) {
        return failure instanceof IllegalStateException && failure.getCause() != null && isRetryable(failure.getCause())
                ? failure.getCause()
                : failure;
    }

    /** Returns whether the same call may succeed later. */
    static boolean isRetryable(Throwable failure) {
        return failure instanceof ApiFault fault ? fault.isRetryable() : SqlFault.of(failure).isTemporary();
    }
}
