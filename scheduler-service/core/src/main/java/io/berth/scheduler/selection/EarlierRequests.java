package io.berth.scheduler.selection;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.PriorRequest;
import io.berth.scheduler.requestrecord.RecordedClaims;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.berth.scheduler.selection.SelectLoop.Step;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.timing.Phases;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/**
 * Recognizes a repeated request, and a request that fails because of an earlier one. The records of earlier requests
 * are read only after a failure, such as that of the record's INSERT: so the common case costs no query.
 */
@Singleton
class EarlierRequests {
    private final RequestRecords records;

    EarlierRequests(RequestRecords records) {
        this.records = records;
    }

    /**
     * Returns the outcome in view of earlier requests: the stored response of the same one, an error that names what
     * is in the way, or the failure itself. The cause is EARLIER_REQUEST if the way is free now.
     */
    Uni<Step.End<Outcome>> recognize(
            IdempotencyKey asked, RecordedClaims claims, Outcome.Failure failure, Phases phases) {
        if (claims.hasBegun() && isOvertaken(failure)) {
            return overtaken(asked).map(Step.End::new);
        }
        if (claims.hasBegun() || !mayBeInTheWay(failure)) {
            return holders(asked, failure).map(Step.End::new);
        }
        return phases.during(Phase.SETTLE, () -> records.known(asked)).map(known -> switch (known) {
            case PriorRequest.Nothing _ when !isOvertaken(failure) -> new Step.End<>(failure);
            case PriorRequest.Nothing _, PriorRequest.Cleared _ ->
                new Step.End<>(new Outcome.Refused(RequestRecords.underWay()), Retries.Cause.EARLIER_REQUEST);
            case PriorRequest.Answered(String answer) -> new Step.End<>(new Outcome.Repeated(answer));
            case PriorRequest.Refused(ApiFault fault) -> new Step.End<>(new Outcome.Refused(fault));
        });
    }

    /** Returns the stored response if the new owner of the record confirmed the placement. */
    private Uni<Outcome> overtaken(IdempotencyKey asked) {
        return records.answerOf(asked).map(answer -> answer == null
                ? new Outcome.Refused(RequestRecords.underWay())
                : new Outcome.Repeated(answer));
    }

    /** Handles instances that hold allocations although no recorded request placed them: the error names the hosts. */
    private Uni<Outcome> holders(IdempotencyKey asked, Outcome.Failure failure) {
        return failure.isFor(ErrorCode.ALLOCATION_UPDATE_FAILED)
                ? records.findPlaced(asked)
                        .onFailure(ApiFault.class).recoverWithNull()
                        .map(fault -> fault == null ? failure : new Outcome.Refused(fault))
                : Uni.createFrom().item(failure);
    }

    private static boolean mayBeInTheWay(Outcome.Failure failure) {
        return failure instanceof Outcome.NoCandidates
                || isOvertaken(failure)
                || failure.isFor(ErrorCode.NO_VALID_HOST);
    }

    private static boolean isOvertaken(Outcome.Failure failure) {
        return failure.isFor(ErrorCode.CONCURRENT_UPDATE);
    }
}
