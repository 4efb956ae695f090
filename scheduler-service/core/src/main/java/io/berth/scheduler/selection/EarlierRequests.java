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
 * without a conflict costs no query.
 */
@Singleton
class EarlierRequests {
    private final RequestRecords records;

    EarlierRequests(RequestRecords records) {
        this.records = records;
    }

    /**
     * Returns the outcome after a failure: the stored response of the same request, an error that names the conflicting
     * request, or the failure itself. If the conflicting request is resolved now, the cause of the returned end is
     * EARLIER_REQUEST, and the request may be decided again.
     */
    Uni<Step.End<SelectionOutcome>> recognize(
            IdempotencyKey requestKey, RecordedClaims claims, SelectionOutcome.Failure failure, Phases phases) {
        if (claims.hasBegun() && isOvertaken(failure)) {
            return answerOvertaken(requestKey).map(Step.End::new);
        }
        if (claims.hasBegun() || !mayBeConflict(failure)) {
            return nameHolders(requestKey, failure).map(Step.End::new);
        }
        return phases.during(Phase.SETTLE, () -> records.known(requestKey)).map(prior -> switch (prior) {
            case PriorRequest.Nothing _ when !isOvertaken(failure) -> new Step.End<>(failure);
            case PriorRequest.Nothing _, PriorRequest.Cleared _ ->
                new Step.End<>(new SelectionOutcome.Refused(RequestRecords.underWay()), Retries.Cause.EARLIER_REQUEST);
            case PriorRequest.Answered(String answer) -> new Step.End<>(new SelectionOutcome.Repeated(answer));
            case PriorRequest.Refused(ApiFault fault) -> new Step.End<>(new SelectionOutcome.Refused(fault));
        });
    }

    /**
     * Handles a request whose record another owner took over. Returns the stored response if the new owner found that
     * the instances hold the allocations of this response.
     */
    private Uni<SelectionOutcome> answerOvertaken(IdempotencyKey requestKey) {
        return records.answerOf(requestKey).map(answer -> answer == null
                ? new SelectionOutcome.Refused(RequestRecords.underWay())
                : new SelectionOutcome.Repeated(answer));
    }

    /**
     * Replaces the failure, if instances of the request hold allocations that belong to no record, by an error that
     * names the hosts of these allocations.
     */
    private Uni<SelectionOutcome> nameHolders(IdempotencyKey requestKey, SelectionOutcome.Failure failure) {
        return failure.isFor(ErrorCode.ALLOCATION_UPDATE_FAILED)
                ? records.findPlaced(requestKey)
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
