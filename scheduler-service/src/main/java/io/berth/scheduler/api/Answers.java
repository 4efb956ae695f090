package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestWarnings;
import io.berth.scheduler.selection.AnswerWriter;
import io.berth.scheduler.selection.Outcome;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** What a caller is told of an outcome; its explanation is kept for a while. */
@Singleton
class Answers implements AnswerWriter {
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
            case Outcome.Selected selected -> told(selected, spec, explained).answer();
            case Outcome.Repeated repeated -> repeated.answer();
            case Outcome.Failure failure -> throw fault(failure, spec, explained);
        };
    }

    @Override
    public Told told(Outcome.Selected selected, RequestSpec spec, boolean explained) {
        if (selected.told() != null) {
            return selected.told();
        }
        List<String> warnings = RequestWarnings.of(spec);
        String decisionId = newId();
        String explanation = keep(decisionId, selected.decision(), warnings, explained);
        String plain = AnswerJson.selections(decisionId, selected.selections(), warnings, null);
        return new Told(
                explained ? AnswerJson.selections(decisionId, selected.selections(), warnings, explanation) : plain,
                plain);
    }

    @Override
    public ApiFault fault(Outcome.Failure failure, RequestSpec spec, boolean explained) {
        List<String> warnings = RequestWarnings.of(spec);
        return switch (failure) {
            case Outcome.Refused(ApiFault fault) -> fault;
            case Outcome.Outdated(Outcome.Failed as) -> fault(as, spec, explained);
            case Outcome.Failed failed -> new ApiFault(new ApiError(
                    failed.code(), failed.detail(), keep(newId(), failed.decision(), warnings, explained)));
            case Outcome.NoCandidates nothing -> {
                String decisionId = newId();
                String why = AnswerJson.noCandidates(decisionId, nothing, warnings);
                recent.keep(decisionId, why);
                yield new ApiFault(new ApiError(ErrorCode.NO_VALID_HOST, nothing.detail(), why));
            }
        };
    }

    private static String newId() {
        return UUID.randomUUID().toString();
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
