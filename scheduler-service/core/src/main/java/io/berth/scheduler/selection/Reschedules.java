package io.berth.scheduler.selection;

import io.berth.scheduler.claim.ClaimOutcome;
import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.instancecleanup.InstanceCleanups;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.record.DecisionOutcome;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.PriorRequest;
import io.berth.scheduler.requestrecord.RecordedClaims;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.function.Function;

/**
 * Claims alternates after a failed build, one after the other until a claim holds. Each call has a request record, as a
 * request that selects hosts has. The claim replaces the allocations on the failed host in one request to placement. If
 * no alternate is left, the allocations on the failed host are released. A repeated request gets the same response; an
 * interrupted request is rolled back and may be repeated.
 * <br>Source: nova {@code conductor/manager.py} (build_instances), {@code compute/stats.py} (build_failed).
 */
@Singleton
public class Reschedules {
    private final RequestRecords requestRecords;
    private final PlacementClient placement;
    private final ServerGroups groups;
    private final InstanceCleanups cleanups;
    private final DecisionRecords records;

    Reschedules(
            RequestRecords requestRecords,
            PlacementClient placement,
            ServerGroups groups,
            InstanceCleanups cleanups,
            DecisionRecords records) {
        this.requestRecords = requestRecords;
        this.placement = placement;
        this.groups = groups;
        this.cleanups = cleanups;
        this.records = records;
    }

    /**
     * Claims an alternate. Returns the response body, JSON. Fails with ApiFault if no alternate can be claimed, another
     * request works on the instance, or placement does not respond; the fault names the decision record, if there is
     * one.
     */
    public Uni<String> reschedule(RescheduleRequest call, IdempotencyKey requestKey, DecisionTrace trace) {
        return requestRecords.requireSettlements(requestKey.requestId())
                .chain(() -> attempt(call, requestKey, new Retries(), trace))
                .onFailure().invoke(failure -> addRecord(trace, DecisionOutcomes.of(failure)))
                .onFailure(ApiFault.class).transform(failure -> trace.isRecorded()
                        ? failure.recordedAs(trace.id().toString())
                        : failure);
    }

    private void addRecord(DecisionTrace trace, DecisionOutcome outcome) {
        trace.phases().end();
        records.add(trace, outcome);
    }

    private Uni<String> attempt(
            RescheduleRequest call, IdempotencyKey requestKey, Retries retries, DecisionTrace trace) {
        return requestRecords.takeOver(requestKey)
                .chain(() -> placement.getAllocations(call.instanceUuid(), requestKey.requestId()))
                .chain(answer -> switch (answer) {
                    case AllocationsResult.Unreachable(String why) -> throw ApiFault.placementAway(why);
                    case AllocationsResult.Allocations held when held.allocations().isEmpty()
                            || held.allocations().equals(call.failed().request().allocations()) ->
                        begin(call, requestKey, retries, held, trace);
                    case AllocationsResult.Allocations _ -> resolveEarlier(
                            call, requestKey, retries, trace, new ApiFault(
                                    ErrorCode.ALLOCATION_UPDATE_FAILED,
                                    "the instance holds other allocations than those of the failed host"));
                });
    }

    /** @param held the allocations on the failed host; empty if an earlier call released them */
    private Uni<String> begin(
            RescheduleRequest call, IdempotencyKey requestKey, Retries retries, AllocationsResult.Allocations held,
            DecisionTrace trace) {
        var plan = new ClaimStrategy.Plan(call.failed().request(), null, null);
        RecordedClaims claims = requestRecords.replacingClaims(requestKey, held);
        return claims.begin(plan).chain(hasBegun -> hasBegun
                ? claimAlternates(call, claims, consumer(call, requestKey), !held.allocations().isEmpty(), trace)
                : resolveEarlier(call, requestKey, retries, trace, RequestRecords.underWay()));
    }

    private static Consumer consumer(RescheduleRequest call, IdempotencyKey requestKey) {
        return new Consumer(
                call.instanceUuid(),
                call.projectId() == null ? Rounds.UNKNOWN_OWNER : call.projectId(),
                call.userId() == null ? Rounds.UNKNOWN_OWNER : call.userId(),
                requestKey.requestId());
    }

    /**
     * Handles a failure that an earlier request for the instance may explain: returns the stored response of the same
     * request, fails with the fault of the earlier request, or tries again if the outcome of the earlier request is
     * resolved now; {@link Retries} limits how often.
     *
     * @param otherwise the fault if no earlier request explains the failure, or if the request may not be tried again
     */
    private Uni<String> resolveEarlier(
            RescheduleRequest call, IdempotencyKey requestKey, Retries retries, DecisionTrace trace,
            ApiFault otherwise) {
        return requestRecords.resolvePrior(requestKey).chain(prior -> switch (prior) {
            case PriorRequest.Answered(String answer) -> Uni.createFrom().item(answer);
            case PriorRequest.Refused(ApiFault fault) -> throw fault;
            case PriorRequest.Cleared _ when retries.allow(Retries.Cause.EARLIER_REQUEST) ->
                attempt(call, requestKey, retries, trace);
            case PriorRequest.Cleared _, PriorRequest.Nothing _ -> throw otherwise;
        });
    }

    /** @param holdsFailedHost whether the instance still has the allocations on the failed host */
    private Uni<String> claimAlternates(
            RescheduleRequest call, RecordedClaims claims, Consumer consumer, boolean holdsFailedHost,
            DecisionTrace trace) {
        return grouping(call, consumer.requestId())
                // Nothing is claimed yet; any other failure is handled at the end.
                .onFailure(ApiFault.class).call(() -> claims.rollBackFailed(false))
                .chain(grouping -> trace.phases().during(Phase.CLAIM, () -> claims.claimFirst(
                        consumer, grouping, call.alternates(), (host, request, result, detail) -> trace.noteAttempt(
                                new DecisionTrace.Attempt(
                                        consumer.uuid(), host.host(), host.nodename(), 0, result.wireName(), detail)))))
                .chain(claimOutcome -> claimOutcome instanceof ClaimOutcome.Selected(var host, var _)
                        ? countFailure(call, holdsFailedHost)
                                .chain(() -> recordClaimed(claims, host, trace))
                                .invoke(answer -> addRecord(trace, DecisionOutcomes.placed(
                                        host.host(), host.nodename() == null ? host.host() : host.nodename())))
                        : giveUp(call, claims, consumer, claimOutcome, holdsFailedHost)
                                .onItem().transformToUni(done -> Uni.createFrom()
                                        .failure(fault(claimOutcome, records.recordHint(trace)))))
                // A claim may hold, so it is rolled back. If the record was closed although PostgreSQL's response was
                // lost, the next request for the instance deletes the record.
                .onFailure(failure -> !(failure instanceof ApiFault)).call(() -> claims.rollBackFailed(true));
    }

    /**
     * Counts a failed build on the failed host, except a build that the host refused by group policy.
     *
     * @param freedFailedHost whether this call has replaced or released the allocations on the failed host. Only one of
     *     several repeated calls does that, so that one failure is counted once
     */
    private Uni<Void> countFailure(RescheduleRequest call, boolean freedFailedHost) {
        return freedFailedHost && !call.isRefusedByPolicy()
                ? requestRecords.countFailedBuild(call.failed().host(), call.failed().nodename())
                : Uni.createFrom().voidItem();
    }

    /**
     * Returns the server group for the claims; null without a group. An instance whose failed host was released by an
     * earlier call, without a claim of an alternate, is not registered any more; for such an instance its last group is
     * used.
     */
    private Uni<Grouping<RescheduleRequest.Candidate>> grouping(RescheduleRequest call, String requestId) {
        return cleanups.lastGroup(call.instanceUuid()).chain(last -> {
            Function<RegistrySnapshot, ServerGroup> group = registry -> last == null
                    ? registry.findServerGroupOf(call.instanceUuid().toString())
                    : currentStateOf(last, registry);
            return groups.currentRegistry(group, requestId).map(registry -> ServerGroups.grouping(
                    group.apply(registry), registry, RescheduleRequest.Candidate::host));
        });
    }

    /**
     * Returns the registered state of a group. If the group is not registered any more, returns its last state; null if
     * this state has no policy.
     */
    private static @Nullable ServerGroup currentStateOf(ServerGroup last, RegistrySnapshot registry) {
        ServerGroup registered = registry.findServerGroup(last.uuid());
        return registered != null || last.policy() == null ? registered : last;
    }

    /**
     * Handles a request that could claim no alternate: releases the allocations on the failed host, unless an earlier
     * call released them or the record has another owner. If it is unknown whether a claim holds, only rolls back: a
     * claim that holds has replaced these allocations, and is released; otherwise they stay. Counts the failed build
     * if this call has released the allocations. Fails with ApiFault (503) if they cannot be released now.
     */
    private Uni<Void> giveUp(
            RescheduleRequest call,
            RecordedClaims claims,
            Consumer consumer,
            ClaimOutcome<RescheduleRequest.Candidate> claimOutcome,
            boolean holdsFailedHost) {
        boolean mayClaimHold = claimOutcome instanceof ClaimOutcome.Unsettled;
        if (!holdsFailedHost || mayClaimHold || claimOutcome instanceof ClaimOutcome.Overtaken) {
            return claims.rollBackFailed(mayClaimHold);
        }
        return claims.releaseHeld(consumer, call.failed().host()).chain(released -> {
            boolean mayBeReleased = released instanceof ClaimOutcome.Unsettled;
            boolean isReleased = released instanceof ClaimOutcome.Selected;
            return countFailure(call, isReleased)
                    .chain(() -> claims.rollBackFailed(mayBeReleased))
                    .invoke(() -> {
                        if (!isReleased) {
                            throw new ApiFault(
                                    ErrorCode.PLACEMENT_UNAVAILABLE,
                                    "the allocations on the failed host cannot be released now; retry");
                        }
                    });
        });
    }

    /**
     * Records the claimed alternate, and returns the response. Fails with ApiFault (409) if the record has another
     * owner.
     */
    private static Uni<String> recordClaimed(
            RecordedClaims claims, RescheduleRequest.Candidate host, DecisionTrace trace) {
        String record = trace.isRecorded() ? "\"decision_id\":\"" + trace.id() + "\"," : "";
        String answer = "{" + record + "\"selection\":" + host.selection() + "}";
        return claims.completeReschedule(answer, host.placeJson()).map(isOwner -> {
            if (!isOwner) {
                throw RequestRecords.underWay();
            }
            return answer;
        });
    }

    private static String refusals(ClaimOutcome.NoneLeft<RescheduleRequest.Candidate> none) {
        return switch (none.attempts()) {
            case 0 -> none.lastRefusal().isEmpty() ? "there is no alternate left to try" : none.lastRefusal();
            case 1 -> "1 alternate refused with: " + none.lastRefusal();
            default -> none.attempts() + " alternates refused, the last with: " + none.lastRefusal();
        };
    }

    /**
     * Returns the error for the outcome of a call that claimed no alternate.
     *
     * @param link end of the message that names the decision record; may be empty
     */
    static ApiFault fault(ClaimOutcome<RescheduleRequest.Candidate> claimOutcome, String link) {
        return switch (claimOutcome) {
            case ClaimOutcome.Selected<RescheduleRequest.Candidate> _,
                    ClaimOutcome.Overtaken<RescheduleRequest.Candidate> _ ->
                RequestRecords.underWay();
            case ClaimOutcome.NoneLeft<RescheduleRequest.Candidate> none -> new ApiFault(
                    ErrorCode.NO_VALID_HOST,
                    "Exceeded max scheduling attempts: " + refusals(none) + link);
            case ClaimOutcome.GroupElsewhere<RescheduleRequest.Candidate> elsewhere ->
                new ApiFault(ErrorCode.NO_VALID_HOST, elsewhere.why() + link);
            case ClaimOutcome.Aborted<RescheduleRequest.Candidate>(String why) ->
                new ApiFault(ErrorCode.ALLOCATION_UPDATE_FAILED, why);
            case ClaimOutcome.Denied<RescheduleRequest.Candidate> denied -> new ApiFault(
                    denied.denied().isRequestInvalid()
                            ? ErrorCode.REQUEST_INVALID
                            : ErrorCode.PLACEMENT_UNAVAILABLE,
                    denied.denied().why());
            case ClaimOutcome.Unsettled<RescheduleRequest.Candidate>(String why) ->
                new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, why);
        };
    }
}
