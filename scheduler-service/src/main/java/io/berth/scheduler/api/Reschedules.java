package io.berth.scheduler.api;

import io.berth.scheduler.boot.Asked;
import io.berth.scheduler.boot.BootClaims;
import io.berth.scheduler.boot.Boots;
import io.berth.scheduler.boot.Known;
import io.berth.scheduler.claim.Claiming;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.claim.Placing;
import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.RegistrySnapshot;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * After a failed build: gives the failed host up and claims the alternates one after the other until one holds, under a
 * record like that of a boot. The same call again is answered as before; one that was cut off is taken back, and may be
 * made again.
 * <br>Source: nova {@code conductor/manager.py} (build_instances), {@code compute/stats.py} (build_failed).
 */
@Singleton
class Reschedules {
    private static final int TRIES_MAX = 3;

    private final Boots boots;
    private final Releases releases;
    private final PlacementClient placement;
    private final ServerGroups groups;

    Reschedules(Boots boots, Releases releases, PlacementClient placement, ServerGroups groups) {
        this.boots = boots;
        this.releases = releases;
        this.placement = placement;
        this.groups = groups;
    }

    /** The answer as JSON. Fails with ApiFault where there is none. */
    Uni<String> reschedule(RescheduleBody body, Asked asked) {
        return attempt(body, asked, null, TRIES_MAX);
    }

    private Uni<String> attempt(RescheduleBody body, Asked asked, @Nullable UUID token, int triesLeft) {
        return placement.getAllocations(body.instanceUuid(), asked.requestId()).chain(answer -> switch (answer) {
            case AllocationsAnswer.Unreachable(String why) ->
                throw new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer: " + why);
            case AllocationsAnswer.Held held when held.allocations().isEmpty() ->
                begin(body, asked, token, triesLeft, false);
            case AllocationsAnswer.Held held when held.allocations().equals(body.failed().request().allocations()) ->
                begin(body, asked, token, triesLeft, true);
            case AllocationsAnswer.Held _ -> known(body, asked, triesLeft, new ApiFault(
                    ErrorCode.ALLOCATION_UPDATE_FAILED,
                    "the instance holds other allocations than those of the failed host"));
        });
    }

    /** @param holding whether the failed host's claim is still there */
    private Uni<String> begin(
            RescheduleBody body, Asked asked, @Nullable UUID token, int triesLeft, boolean holding) {
        var plan = new Claiming.Plan(body.failed().request(), null, null);
        return boots.leave(asked.instances())
                .chain(() -> boots.claims(asked, token))
                .chain(claims -> claims.begin(plan).chain(begun -> begun
                        ? run(body, claims, consumer(body, asked), holding)
                        : known(body, asked, triesLeft, Boots.underWay())));
    }

    private static Consumer consumer(RescheduleBody body, Asked asked) {
        return new Consumer(
                body.instanceUuid(),
                body.projectId() == null ? Rounds.NOBODY : body.projectId(),
                body.userId() == null ? Rounds.NOBODY : body.userId(),
                asked.requestId());
    }

    /** @param otherwise where no earlier request says anything */
    private Uni<String> known(RescheduleBody body, Asked asked, int triesLeft, ApiFault otherwise) {
        return boots.known(asked).chain(known -> switch (known) {
            case Known.Answered(String answer) -> Uni.createFrom().item(answer);
            case Known.Refused(ApiFault fault) -> throw fault;
            case Known.Cleared(UUID own) when triesLeft > 1 -> attempt(body, asked, own, triesLeft - 1);
            case Known.Cleared _, Known.Nothing _ -> throw otherwise;
        });
    }

    private Uni<String> run(RescheduleBody body, BootClaims claims, Consumer consumer, boolean holding) {
        return (holding ? giveUp(body, claims, consumer) : Uni.createFrom().voidItem())
                .chain(() -> grouping(body, consumer.requestId()))
                .chain(grouping -> claims.claimFirst(consumer, grouping, body.alternates()))
                .chain(placing -> placing instanceof Placing.Selected<RescheduleBody.Candidate>(var host, var request)
                        ? follow(claims, host)
                        : claims.takeBack(List.of(), placing.inDoubt())
                                .onItem().transformToUni(done -> Uni.createFrom().failure(fault(placing))))
                .onFailure(failure -> !(failure instanceof ApiFault)).call(() -> claims.takeBack(List.of(), true));
    }

    private Uni<Grouping<RescheduleBody.Candidate>> grouping(RescheduleBody body, String requestId) {
        Function<RegistrySnapshot, ServerGroup> group =
                registry -> registry.findServerGroupOf(body.instanceUuid().toString());
        return groups.current(group, requestId).map(registry -> ServerGroups.grouping(
                group.apply(registry), candidate -> new Place(candidate.host(), candidate.nodename())));
    }

    /** Once it is gone, one more build counts as failed there. */
    private Uni<Void> giveUp(RescheduleBody body, BootClaims claims, Consumer consumer) {
        Map<String, Map<String, Long>> claimed = body.failed().request().allocations();
        return releases.takeBack(consumer.uuid(), claimed::equals, Map.of(), consumer.requestId())
                .chain(outcome -> switch (outcome) {
                    case DONE -> boots.buildFailed(body.failed().host(), body.failed().nodename());
                    case AGAIN -> claims.takeBack(List.of(), false).chain(() -> Uni.createFrom().failure(new ApiFault(
                            ErrorCode.PLACEMENT_UNAVAILABLE, "the failed host's claim cannot be released now")));
                });
    }

    private static Uni<String> follow(BootClaims claims, RescheduleBody.Candidate host) {
        String answer = "{\"selection\":" + host.selection() + "}";
        return claims.rescheduled(answer, host.place()).map(ours -> {
            if (!ours) {
                throw Boots.underWay();
            }
            return answer;
        });
    }

    private static ApiFault fault(Placing<RescheduleBody.Candidate> placing) {
        return switch (placing) {
            case Placing.Selected<RescheduleBody.Candidate> _, Placing.Overtaken<RescheduleBody.Candidate> _ ->
                Boots.underWay();
            case Placing.NoneLeft<RescheduleBody.Candidate> none -> new ApiFault(
                    ErrorCode.NO_VALID_HOST,
                    "Exceeded max scheduling attempts: " + none.attempts() + " alternates refused, the last with: "
                            + none.lastRefusal());
            case Placing.GroupElsewhere<RescheduleBody.Candidate> elsewhere ->
                new ApiFault(ErrorCode.NO_VALID_HOST, elsewhere.why());
            case Placing.Aborted<RescheduleBody.Candidate>(String why) ->
                new ApiFault(ErrorCode.ALLOCATION_UPDATE_FAILED, why);
            case Placing.Denied<RescheduleBody.Candidate> denied -> new ApiFault(
                    denied.denied().isTheRequestsFault()
                            ? ErrorCode.REQUEST_INVALID
                            : ErrorCode.PLACEMENT_UNAVAILABLE,
                    denied.denied().why());
            case Placing.InDoubt<RescheduleBody.Candidate> doubt ->
                new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, doubt.why());
        };
    }
}
