package io.berth.scheduler.selection;

import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.explanation.NoValidHost;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.record.Ending;
import jakarta.annotation.Nullable;
import java.util.List;

/** Converts the outcome of a request for its decision record. */
final class Endings {
    private Endings() {}

    static Ending of(Outcome.Selected selected) {
        return new Ending(
                Ending.Result.SELECTED, null, null, null, selected.decision(), null, null,
                selected.decision().selections().stream()
                        .map(ofInstance -> ofInstance.stream()
                                .map(host -> new HostName(host.host(), host.nodename()))
                                .toList())
                        .toList());
    }

    static Ending of(Outcome.Failure failure) {
        return switch (failure) {
            case Outcome.Refused(ApiFault fault) -> of(fault);
            case Outcome.NoCandidates nothing -> new Ending(
                    result(ErrorCode.NO_VALID_HOST), ErrorCode.NO_VALID_HOST.code(), nothing.detail(), forTenant(nothing),
                    null, nothing.query(), nothing.shortfall(), List.of());
            case Outcome.Failed failed -> new Ending(
                    result(failed.code()), failed.code().code(), failed.detail(), forTenant(failed), failed.decision(),
                    failed.leftOut() == null ? null : failed.leftOut().query(),
                    failed.leftOut() == null ? null : failed.leftOut().shortfall(), List.of());
        };
    }

    /** Returns the ending of a request that failed with an exception. */
    static Ending of(Throwable failure) {
        ApiError error = ApiFault.errorOf(failure);
        return new Ending(result(error.code()), error.code().code(), error.detail(), null, null, null, null, List.of());
    }

    /** Returns the ending of a request that got a host without a decision: a reschedule. */
    static Ending placed(String host, String nodename) {
        return new Ending(
                Ending.Result.SELECTED, null, null, null, null, null, null,
                List.of(List.of(new HostName(host, nodename))));
    }

    /**
     * Returns a sentence on a failure that names no host, for a tenant. Null if the failure is not "no valid host", or
     * if it cannot be explained without such names.
     */
    static @Nullable String forTenant(Outcome.Failure failure) {
        return switch (failure) {
            case Outcome.NoCandidates nothing when nothing.shortfall() != null -> nothing.shortfall().tenantText();
            case Outcome.Failed failed when failed.code() == ErrorCode.NO_VALID_HOST && failed.decision() != null ->
                NoValidHost.forTenant(failed.decision(), failed.leftOut() == null ? null : failed.leftOut().half(true));
            case Outcome.NoCandidates _, Outcome.Failed _, Outcome.Refused _ -> null;
        };
    }

    private static Ending.Result result(ErrorCode code) {
        return code == ErrorCode.NO_VALID_HOST ? Ending.Result.NO_VALID_HOST : Ending.Result.ERROR;
    }
}
