package io.berth.scheduler.api;

import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Made;
import io.berth.scheduler.claim.Placing;
import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.host.registry.PlacedInstanceStore;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.http.RequestId;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code POST /v1/reschedule}: after a failed build, gives up the failed host's claim and claims the alternates one
 * after the other until one holds. Without one the instance holds nothing.
 * <br>Source: nova {@code conductor/manager.py} (build_instances).
 */
@Path("/v1/reschedule")
@Produces(MediaType.APPLICATION_JSON)
public class RescheduleEndpoint {
    private static final Logger LOG = Logger.getLogger(RescheduleEndpoint.class);

    private final ClaimLoop claims;
    private final Releases releases;
    private final PlacedInstanceStore placed;
    private final CurrentVertxRequest current;

    RescheduleEndpoint(
            ClaimLoop claims, Releases releases, PlacedInstanceStore placed, CurrentVertxRequest current) {
        this.claims = claims;
        this.releases = releases;
        this.placed = placed;
        this.current = current;
    }

    /** Answers {@code {"selection": {...}}}: the alternate that was claimed, as it was given. */
    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> reschedule(byte[] json) {
        RescheduleBody body = RescheduleBody.read(JsonBody.parse(json));
        Consumer consumer = new Consumer(
                body.instanceUuid(),
                body.projectId() == null ? Rounds.NOBODY : body.projectId(),
                body.userId() == null ? Rounds.NOBODY : body.userId(),
                RequestId.of(current.getCurrent()));
        return releases.release(new Made(consumer, body.failed().request()))
                .chain(gone -> {
                    if (!gone) {
                        throw new ApiFault(
                                ErrorCode.PLACEMENT_UNAVAILABLE, "the failed host's claim cannot be released now");
                    }
                    return claims.claimFirst(consumer, body.alternates());
                })
                .chain(placing -> answer(placing, consumer));
    }

    private Uni<String> answer(Placing<RescheduleBody.Candidate> placing, Consumer consumer) {
        return switch (placing) {
            case Placing.Selected<RescheduleBody.Candidate> selected -> placed
                    .follow(consumer.uuid(), selected.host().host(), selected.host().nodename())
                    .onFailure().invoke(failure -> LOG.warnf(
                            "claimed, but instance not registered request=%s cause=%s", consumer.requestId(), failure))
                    .onFailure().recoverWithNull()
                    .replaceWith("{\"selection\":" + selected.host().selection() + "}");
            case Placing.NoneLeft<RescheduleBody.Candidate> none -> throw new ApiFault(
                    ErrorCode.NO_VALID_HOST,
                    "Exceeded max scheduling attempts: " + none.attempts() + " alternates refused");
            case Placing.Aborted<RescheduleBody.Candidate>(String why) ->
                throw new ApiFault(ErrorCode.ALLOCATION_UPDATE_FAILED, why);
            case Placing.InDoubt<RescheduleBody.Candidate> doubt -> releases
                    .recordForLater(new Made(consumer, doubt.request()))
                    .onItem().transformToUni(recorded -> Uni.createFrom()
                            .failure(new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, doubt.why())));
        };
    }
}
