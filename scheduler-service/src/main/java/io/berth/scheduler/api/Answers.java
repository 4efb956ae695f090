package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestWarnings;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
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
     * @param spec the request
     * @param explained whether the answer itself says how every host fared
     */
    String answer(Outcome outcome, RequestSpec spec, boolean explained) {
        return switch (outcome) {
            case Outcome.Selected selected -> selections(selected, spec, explained);
            case Outcome.Failure failure -> throw fault(failure, spec, explained);
        };
    }

    String selections(Outcome.Selected selected, RequestSpec spec, boolean explained) {
        List<String> warnings = RequestWarnings.of(spec);
        String decisionId = UUID.randomUUID().toString();
        String explanation = keep(decisionId, selected.decision(), warnings, explained);
        return AnswerJson.selections(decisionId, selected.selections(), warnings, explained ? explanation : null);
    }

    ApiFault fault(Outcome.Failure failure, RequestSpec spec, boolean explained) {
        List<String> warnings = RequestWarnings.of(spec);
        String decisionId = UUID.randomUUID().toString();
        return new ApiFault(switch (failure) {
            case Outcome.Failed failed -> new ApiError(
                    failed.code(), failed.detail(), keep(decisionId, failed.decision(), warnings, explained));
            case Outcome.NoCandidates nothing -> {
                String why = AnswerJson.noCandidates(decisionId, nothing, warnings);
                recent.keep(decisionId, why);
                yield new ApiError(ErrorCode.NO_VALID_HOST, nothing.detail(), why);
            }
        });
    }

    private @Nullable String keep(
            String decisionId, @Nullable Decision decision, List<String> warnings, boolean full) {
        if (decision == null) {
            return null;
        }
        String explanation = full
                ? AnswerJson.fullExplanation(decisionId, decision, warnings)
                : AnswerJson.explanation(decisionId, decision, warnings);
        recent.keep(decisionId, explanation);
        return explanation;
    }
}
