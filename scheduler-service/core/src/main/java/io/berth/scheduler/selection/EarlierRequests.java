package io.berth.scheduler.selection;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.PriorRequest;
import io.berth.scheduler.requestrecord.RecordedClaims;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.timing.Phases.Phase;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/**
 * Recognizes a repeated request, and a request that fails because of an earlier one for the same instances. Reads the
 * records of earlier requests only after a failure, such as that of the INSERT of the new record, so that a request
 * without a conflict costs no query. A request is overtaken if another owner has taken its record over, or if another
 * request places the same instances.
 */
@Singleton
class EarlierRequests {
    private final RequestRecords records;

    EarlierRequests(RequestRecords records) {
        this.records = records;
    }

    /**
     * Returns the end of the attempt after a failure. Its outcome is the stored response if the same request has placed
     * its instances before; an error if an earlier request conflicts, or if the outcome of the earlier request is
     * unknown; or else the failure itself. If an earlier request was in conflict and is not any more, the cause of the
     * end is EARLIER_REQUEST, and the request may be decided again.
     */
    Uni<Step.End<SelectionOutcome>> recognize(
            IdempotencyKey requestKey, RecordedClaims claims, SelectionOutcome.Failure failure, Phases phases) {
        if (claims.hasBegun() && isOvertaken(failure)) {
            return answerOvertaken(requestKey).map(Step.End::new);
        }
        if (claims.hasBegun() || !mayBeConflict(failure)) {
            return nameHolders(requestKey, failure).map(Step.End::new);
        }
        return phases.during(Phase.SETTLE, () -> records.resolvePrior(requestKey)).map(prior -> switch (prior) {
            case PriorRequest.Nothing _ when !isOvertaken(failure) -> new Step.End<>(failure);
            case PriorRequest.Nothing _, PriorRequest.Cleared _ ->
                new Step.End<>(new SelectionOutcome.Refused(RequestRecords.underWay()), Retries.Cause.EARLIER_REQUEST);
            case PriorRequest.Answered(String answer) -> new Step.End<>(new SelectionOutcome.Repeated(answer));
            case PriorRequest.Refused(ApiFault fault) -> new Step.End<>(new SelectionOutcome.Refused(fault));
        });
    }

    /**
     * Handles a request whose record another owner took over. Returns the stored response if the new owner found that
     * the instances hold the allocations of this response; otherwise an error (409).
     */
    private Uni<SelectionOutcome> answerOvertaken(IdempotencyKey requestKey) {
        return records.answerOf(requestKey).map(answer -> answer == null
                ? new SelectionOutcome.Refused(RequestRecords.underWay())
                : new SelectionOutcome.Repeated(answer));
    }

    /**
     * Replaces the failure ALLOCATION_UPDATE_FAILED by an error that names the hosts of the instances, if instances of
     * the request hold allocations. Returns the failure itself in other cases, and if placement does not respond.
     */
    private Uni<SelectionOutcome> nameHolders(IdempotencyKey requestKey, SelectionOutcome.Failure failure) {
        return failure.isFor(ErrorCode.ALLOCATION_UPDATE_FAILED)
                ? records.findPlacedFault(requestKey)
                        .onFailure(ApiFault.class).recoverWithNull()
                        .map(fault -> fault == null ? failure : new SelectionOutcome.Refused(fault))
                : Uni.createFrom().item(failure);
    }

    /** Returns whether the failure may be caused by an earlier request for the same instances. */
    private static boolean mayBeConflict(SelectionOutcome.Failure failure) {
        return failure instanceof SelectionOutcome.NoCandidates
                || isOvertaken(failure)
                || failure.isFor(ErrorCode.NO_VALID_HOST);
    }

    private static boolean isOvertaken(SelectionOutcome.Failure failure) {
        return failure.isFor(ErrorCode.CONCURRENT_UPDATE);
    }
}
