package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.selection.ResponseWriter;
import io.berth.scheduler.selection.SelectionOutcome;
import io.berth.scheduler.trace.DecisionTrace;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;

/** Renders the outcome of a request to place instances as the response body, or as the error that the client gets. */
@Singleton
class ResponseRenderer implements ResponseWriter {
    /** Maximum instances of a request whose explanation lists every host; beyond it, counts and the first hosts. */
    private static final int INSTANCES_LISTED_MAX = 2;
    /**
     * Maximum hosts, summed over the rounds of a decision, that an explanation lists: each takes about 3 KB, and the
     * explanation is rendered on an event loop. For larger decisions it has counts and the first hosts of each stage.
     */
    private static final int HOSTS_LISTED_MAX = 2_000;

    private final DecisionRecords records;

    ResponseRenderer(DecisionRecords records) {
        this.records = records;
    }

    /**
     * Returns the selections as JSON; for a repeated request, the response of the first request. Throws
     * {@link ApiFault} for a failure.
     *
     * @param explained whether the response has an explanation of the decision
     */
    String answer(SelectionOutcome outcome, RequestSpec spec, boolean explained, DecisionTrace trace) {
        return switch (outcome) {
            case SelectionOutcome.Selected selected -> render(selected, spec, explained, trace).answer();
            case SelectionOutcome.Repeated repeated -> repeated.answer();
            case SelectionOutcome.Failure failure -> throw fault(failure, spec, explained, trace);
        };
    }

    @Override
    public RenderedResponse render(SelectionOutcome.Selected selected, RequestSpec spec, boolean explained,
            DecisionTrace trace) {
        if (selected.rendered() != null) {
            return selected.rendered();
        }
        List<String> warnings = trace.warnings();
        String decisionId = decisionId(trace);
        String plain = ResponseJson.selections(decisionId, selected.selections(), warnings, null);
        return new RenderedResponse(
                explained
                        ? ResponseJson.selections(
                                decisionId, selected.selections(), warnings,
                                explanation(decisionId, selected.decision(), warnings, listsEveryHost(spec), null,
                                        null))
                        : plain,
                plain);
    }

    @Override
    public ApiFault fault(SelectionOutcome.Failure failure, RequestSpec spec, boolean explained, DecisionTrace trace) {
        List<String> warnings = trace.warnings();
        String decisionId = decisionId(trace);
        ApiFault fault = fault(failure, spec, explained, trace, warnings, decisionId);
        return decisionId == null ? fault : fault.recordedAs(decisionId);
    }

    private ApiFault fault(
            SelectionOutcome.Failure failure, RequestSpec spec, boolean explained, DecisionTrace trace,
            List<String> warnings,
            @Nullable String decisionId) {
        return switch (failure) {
            case SelectionOutcome.Refused(ApiFault fault) -> fault;
            case SelectionOutcome.Failed failed -> {
                ApiError error = new ApiError(
                        failed.code(),
                        failed.code() == ErrorCode.NO_VALID_HOST
                                ? failed.detail() + records.recordHint(trace)
                                : failed.detail(),
                        failed.decision() == null
                                ? null
                                : explanation(
                                        decisionId, failed.decision(), warnings, explained && listsEveryHost(spec),
                                        failed.tenantDetail(), failed.omitted()));
                yield error.code() == ErrorCode.CONCURRENT_UPDATE
                        ? ApiFault.conflictInFlight(error)
                        : new ApiFault(error);
            }
            case SelectionOutcome.NoCandidates nothing -> new ApiFault(new ApiError(
                    ErrorCode.NO_VALID_HOST, nothing.detail() + records.recordHint(trace),
                    ResponseJson.noCandidates(decisionId, nothing, warnings)));
        };
    }

    /** Returns null if the decision is not recorded. */
    private static @Nullable String decisionId(DecisionTrace trace) {
        return trace.isRecorded() ? trace.id().toString() : null;
    }

    /**
     * Returns whether the request has so few instances that its explanation may list every host of every stage.
     * Otherwise the explanation has counts and the first hosts of each stage.
     */
    static boolean listsEveryHost(RequestSpec spec) {
        return spec.instanceCount() <= INSTANCES_LISTED_MAX;
    }

    /** Returns the number of hosts that entered each round, summed over the rounds. */
    private static int hostsInAllRounds(Decision decision) {
        return decision.rounds().stream().mapToInt(each -> each.round().preselection().hostCountIn()).sum();
    }

    private static String explanation(
            @Nullable String decisionId, Decision decision, List<String> warnings, boolean mayListEveryHost,
            @Nullable String tenantDetail, @Nullable SelectionOutcome.NoCandidates placementResult) {
        boolean listsEveryHost = mayListEveryHost && hostsInAllRounds(decision) <= HOSTS_LISTED_MAX;
        return ResponseJson.explanation(decisionId, decision, warnings, listsEveryHost, tenantDetail, placementResult);
    }
}
