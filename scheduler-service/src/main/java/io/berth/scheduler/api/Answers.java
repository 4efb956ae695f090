package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.UUID;

/** What a caller is told of an outcome; its explanation is kept for a while. */
@Singleton
class Answers {
    private final RecentDecisions recent;

    Answers(RecentDecisions recent) {
        this.recent = recent;
    }

    /**
     * The selections as JSON. Throws {@link ApiFault} where there are none.
     *
     * @param explained whether the answer itself says how every host fared
     */
    String answer(Outcome outcome, boolean explained) {
        return switch (outcome) {
            case Outcome.Selected selected -> selections(selected, explained);
            case Outcome.Failure failure -> throw fault(failure, explained);
        };
    }

    String selections(Outcome.Selected selected, boolean explained) {
        String decisionId = UUID.randomUUID().toString();
        String explanation = keep(decisionId, selected.decision(), explained);
        return AnswerJson.selections(decisionId, selected.selections(), explained ? explanation : null);
    }

    ApiFault fault(Outcome.Failure failure, boolean explained) {
        String decisionId = UUID.randomUUID().toString();
        return new ApiFault(switch (failure) {
            case Outcome.Failed failed -> new ApiError(
                    failed.code(), failed.detail(), keep(decisionId, failed.decision(), explained));
            case Outcome.NoCandidates nothing -> {
                String why = AnswerJson.noCandidates(decisionId, nothing);
                recent.keep(decisionId, why);
                yield new ApiError(ErrorCode.NO_VALID_HOST, nothing.detail(), why);
            }
        });
    }

    private @Nullable String keep(String decisionId, @Nullable Decision decision, boolean full) {
        if (decision == null) {
            return null;
        }
        String explanation = full
                ? AnswerJson.fullExplanation(decisionId, decision)
                : AnswerJson.explanation(decisionId, decision);
        recent.keep(decisionId, explanation);
        return explanation;
    }
}
