package io.berth.scheduler.selection;

import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.explanation.NoValidHost;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.record.DecisionOutcome;
import jakarta.annotation.Nullable;
import java.util.List;

/** Converts the outcome of a request for its decision record. */
final class DecisionOutcomes {
    private DecisionOutcomes() {}

    static DecisionOutcome of(SelectionOutcome.Selected selected) {
        return new DecisionOutcome(
                DecisionOutcome.Result.SELECTED, null, null, null, selected.decision(), null, null,
                selected.decision().selections().stream()
                        .map(ofInstance -> ofInstance.stream()
                                .map(host -> new HostName(host.host(), host.nodename()))
                                .toList())
                        .toList());
    }

    static DecisionOutcome of(SelectionOutcome.Failure failure) {
        return switch (failure) {
            case SelectionOutcome.Refused(ApiFault fault) -> of(fault);
            case SelectionOutcome.NoCandidates nothing -> new DecisionOutcome(
                    result(ErrorCode.NO_VALID_HOST), ErrorCode.NO_VALID_HOST.code(), nothing.detail(),
                    forTenant(nothing), null, nothing.query(), nothing.shortfall(), List.of());
            case SelectionOutcome.Failed failed -> new DecisionOutcome(
                    result(failed.code()), failed.code().code(), failed.detail(), forTenant(failed), failed.decision(),
                    failed.omitted() == null ? null : failed.omitted().query(),
                    failed.omitted() == null ? null : failed.omitted().shortfall(), List.of());
        };
    }

    /** Returns the outcome of a request that failed with an exception. */
    static DecisionOutcome of(Throwable failure) {
        ApiError error = ApiFault.errorOf(failure);
        return new DecisionOutcome(result(error.code()), error.code().code(), error.detail(), null, null, null, null,
                List.of());
    }

    /** Returns the outcome of a reschedule, which places an instance on a host without a decision. */
    static DecisionOutcome placed(String host, String nodename) {
        return new DecisionOutcome(
                DecisionOutcome.Result.SELECTED, null, null, null, null, null, null,
                List.of(List.of(new HostName(host, nodename))));
    }

    /**
     * Returns a sentence that explains a failure to a tenant, without names of hosts. Null if the failure is not "no
     * valid host", or cannot be explained without such names.
     */
    static @Nullable String forTenant(SelectionOutcome.Failure failure) {
        return switch (failure) {
            case SelectionOutcome.NoCandidates nothing when nothing.shortfall() != null ->
                nothing.shortfall().tenantText();
            case SelectionOutcome.Failed failed when failed.decision() != null && isNoValidHost(failed) ->
                NoValidHost.forTenant(failed.decision(), failed.omitted() == null ? null
                        : failed.omitted().omittedHosts(true));
            case SelectionOutcome.NoCandidates _, SelectionOutcome.Failed _, SelectionOutcome.Refused _ -> null;
        };
    }

    private static boolean isNoValidHost(SelectionOutcome.Failed failed) {
        return failed.code() == ErrorCode.NO_VALID_HOST && failed.decision() != null;
    }

    private static DecisionOutcome.Result result(ErrorCode code) {
        return code == ErrorCode.NO_VALID_HOST ? DecisionOutcome.Result.NO_VALID_HOST : DecisionOutcome.Result.ERROR;
    }
}
