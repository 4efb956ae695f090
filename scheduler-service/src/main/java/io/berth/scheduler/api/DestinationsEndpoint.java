package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.util.UUID;

/** {@code POST /v1/select_destinations}: places and claims every instance of a request, or none. */
@Path("/v1/select_destinations")
@Produces(MediaType.APPLICATION_JSON)
public class DestinationsEndpoint {
    private final Destinations destinations;
    private final RecentDecisions recent;
    private final CurrentVertxRequest current;

    DestinationsEndpoint(Destinations destinations, RecentDecisions recent, CurrentVertxRequest current) {
        this.destinations = destinations;
        this.recent = recent;
        this.current = current;
    }

    /** @param explain {@code true} adds how every host fared */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> select(@QueryParam("explain") String explain, byte[] body) {
        boolean explained = isTrue(explain);
        SelectBody request = SelectBody.read(JsonBody.parse(body));
        SchedulingInputs.Detail detail =
                explained ? SchedulingInputs.Detail.HOSTS : SchedulingInputs.Detail.COUNTS;
        return destinations
                .select(request, detail, RequestId.of(current.getCurrent()))
                .map(outcome -> answer(outcome, explained));
    }

    private String answer(Outcome outcome, boolean explained) {
        String decisionId = UUID.randomUUID().toString();
        String explanation = explanation(decisionId, outcome.decision(), explained);
        if (explanation != null) {
            recent.keep(decisionId, explanation);
        }
        return switch (outcome) {
            case Outcome.Selected selected ->
                AnswerJson.selections(decisionId, selected.selections(), explained ? explanation : null);
            case Outcome.NoCandidates nothing -> {
                String why = AnswerJson.noCandidates(decisionId, nothing);
                recent.keep(decisionId, why);
                throw new ApiFault(new ApiError(ErrorCode.NO_VALID_HOST, nothing.detail(), why));
            }
            case Outcome.Failed failed -> throw new ApiFault(new ApiError(failed.code(), failed.detail(), explanation));
        };
    }

    private static @Nullable String explanation(String decisionId, @Nullable Decision decision, boolean full) {
        if (decision == null) {
            return null;
        }
        return full
                ? AnswerJson.fullExplanation(decisionId, decision)
                : AnswerJson.explanation(decisionId, decision);
    }

    private static boolean isTrue(String explain) {
        return switch (explain) {
            case "true" -> true;
            case "false" -> false;
            case null -> false;
            default -> throw ApiFault.invalid("explain: must be true or false");
        };
    }
}
