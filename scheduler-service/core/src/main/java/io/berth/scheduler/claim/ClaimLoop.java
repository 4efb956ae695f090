package io.berth.scheduler.claim;

import io.berth.model.Maps;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Claims the hosts of a ranked list one after the other until a claim holds. The loop makes one claim at a time, none
 * after the first success, and tries on each host only the allocation requests that the caller lists.
 *
 * <p>A member of a server group reserves its place on a host before it claims the host. If the reservation is refused,
 * the loop tries the next host; or it ends, if the group accepts only hosts on which it has members already, and the
 * caller does not set {@link Grouping#isAnyHostTried}.
 *
 * <p>Several instances of a request, each with its host, are claimed in one write, all or none.
 *
 * <p>A claim without a response is settled: another call to placement returns whether the claim holds, and guarantees
 * that a claim that does not hold never will. Such a lost claim is sent once more; if it is lost again, the loop tries
 * the next allocation request. The loop ends after {@value #LOST_MAX} lost claims, or if a settlement has no response.
 * <br>Source: nova {@code scheduler/manager.py} (_claim_resources), which repeats no claim.
 */
@Singleton
public class ClaimLoop {
    /** Number of lost claims after which the loop ends. */
    private static final int LOST_MAX = 3;
    /** Maximum attempts to settle one claim, with {@link #SETTLEMENT_PAUSE} between them. */
    private static final int SETTLEMENTS_MAX = 3;
    private static final Duration SETTLEMENT_PAUSE = Duration.ofMillis(200);

    private final PlacementClient placement;

    public ClaimLoop(PlacementClient placement) {
        this.placement = placement;
    }

    /**
     * The values that the loop needs from the record of the request that claims. With this record in the database,
     * another replica can become the owner of the request and complete it or roll it back. Each write to placement
     * carries a fence number; placement refuses a write whose number is lower than one that it has seen for the
     * consumer, so that an earlier owner of the record cannot write any more.
     *
     * @param next returns the fence number of the next write
     * @param invalidatesResponse invalidates the response that the record has for the case that the first claim holds.
     *     Called after the first claim, before the loop writes anything else to placement; may be called again. False
     *     if the record has another owner, or if a repeated request has already got this response; then the loop ends
     *     without a further write
     * @param fenced called if placement refused a write, with the higher fence number that placement has seen, so that
     *     the numbers of later requests are raised above it
     */
    public record RequestFence(LongSupplier next,
            Supplier<Uni<Boolean>> invalidatesResponse, LongFunction<Uni<Void>> fenced) {
        /** Creates the values for a request whose record has no response for the case that the first claim holds. */
        public RequestFence(LongSupplier next, LongFunction<Uni<Void>> fenced) {
            this(next, () -> Uni.createFrom().item(true), fenced);
        }
    }

    /**
     * Lets concurrent requests of this replica count the first claim of a request as used capacity before it is sent.
     */
    public void announce(AllocationRequest first, String requestId) {
        placement.announce(first, requestId);
    }

    /**
     * Claims the first host of a ranked list whose claim holds.
     *
     * @param held the allocations that the consumer held when they were last read
     * @param write defines how a claim treats the held allocations
     * @param reservation reserves a place in the instance's server group before each claim; null without a group
     * @param attempts is notified of each attempt
     */
    public <H> Uni<ClaimOutcome<H>> claimFirst(
            Consumer consumer,
            AllocationsResult.Allocations held,
            ClaimWrite write,
            @Nullable GroupReservation<H> reservation,
            List<ClaimCandidate<H>> ranked,
            AttemptListener<H> attempts,
            RequestFence requestFence) {
        return Uni.createFrom().deferred(() -> new Run<H>(
                List.of(consumer), request -> write.claims(consumer, held, request), reservation, attempts,
                requestFence)
                .run(ranked));
    }

    /**
     * One instance of a request that is claimed together with others, and its host.
     *
     * @param held the allocations that the instance held when they were last read
     * @param reservation reserves the instance's place in its server group; null without a group
     */
    public record ClaimTarget<H>(
            Consumer consumer, AllocationsResult.Allocations held, @Nullable GroupReservation<H> reservation, H host,
            AllocationRequest request) {
        private Uni<GroupReservation.Result> reserve() {
            return reservation == null
                    ? Uni.createFrom().item(new GroupReservation.Result.Reserved())
                    : reservation.reserve(host);
        }
    }

    /**
     * Claims the hosts of several instances of a request in one write, all or none. The outcome
     * {@link ClaimOutcome.NoneLeft} means that a reservation or the write was refused, or that providers kept changing;
     * the caller may then claim the instances one by one.
     */
    public <H> Uni<ClaimOutcome<List<H>>> claimTogether(
            List<ClaimTarget<H>> targets, ClaimWrite write, AttemptListener<List<H>> attempts,
            RequestFence requestFence) {
        return Uni.createFrom().deferred(() -> new Run<List<H>>(
                targets.stream().map(ClaimTarget::consumer).toList(),
                sum -> targets.stream()
                        .flatMap(target -> write.claims(target.consumer(), target.held(), target.request()).stream())
                        .toList(),
                hosts -> reserveAll(targets), attempts, requestFence).run(List.of(new ClaimCandidate<>(
                        targets.stream().map(ClaimTarget::host).toList(),
                        AllocationRequest.sum(targets.stream().map(ClaimTarget::request).toList())))));
    }

    /** Reserves the places of all instances in order, and stops at the first refusal. */
    private static <H> Uni<GroupReservation.Result> reserveAll(List<ClaimTarget<H>> targets) {
        return Multi.createFrom().iterable(targets)
                .onItem().transformToUniAndConcatenate(ClaimTarget::reserve)
                .select().where(GroupReservation.Result.Refused.class::isInstance)
                .toUni()
                .onItem().ifNull().continueWith(GroupReservation.Result.Reserved::new);
    }

    /** One run over a ranked list. Its steps run strictly one after the other. */
    private final class Run<H> {
        private final List<Consumer> consumers;
        private final Function<AllocationRequest, List<Claim>> claimsOf;
        private final @Nullable GroupReservation<H> reservation;
        private final AttemptListener<H> attemptListener;
        private final RequestFence requestFence;
        /** Allocation requests of the lost claims: those without a response that, once settled, do not hold. */
        private final List<AllocationRequest> lostRequests = new ArrayList<>();
        private int attempts;
        private boolean hasClaimed;
        private String lastRefusal = "";

        Run(
                List<Consumer> consumers,
                Function<AllocationRequest, List<Claim>> write,
                @Nullable GroupReservation<H> reservation,
                AttemptListener<H> attemptListener,
                RequestFence requestFence) {
            this.consumers = consumers;
            this.claimsOf = write;
            this.reservation = reservation;
            this.attemptListener = attemptListener;
            this.requestFence = requestFence;
        }

        Uni<ClaimOutcome<H>> run(List<ClaimCandidate<H>> ranked) {
            return Multi.createFrom().iterable(ranked)
                    .onItem().transformToUniAndConcatenate(this::tryHost)
                    .select().where(Optional::isPresent)
                    .map(Optional::get)
                    .toUni()
                    .onItem().ifNull().continueWith(() -> lostRequests.isEmpty()
                            ? new ClaimOutcome.NoneLeft<>(attempts, lastRefusal)
                            : unavailable());
        }

        /** Returns empty if the next host is to be tried. */
        private Uni<Optional<ClaimOutcome<H>>> tryHost(ClaimCandidate<H> host) {
            if (reservation == null) {
                return claim(host);
            }
            return reservation.reserve(host.host()).chain(reserved -> switch (reserved) {
                case GroupReservation.Result.Reserved _ -> claim(host);
                case GroupReservation.Result.Refused(String why, boolean endsAttempts) when endsAttempts -> {
                    attemptListener.attempted(host.host(), host.requests().getFirst(),
                            AttemptListener.Result.SEAT_REFUSED, why);
                    yield end(new ClaimOutcome.GroupElsewhere<>(why));
                }
                case GroupReservation.Result.Refused(String why, boolean _) -> {
                    attempts++;
                    yield reportFailure(host.host(), host.requests().getFirst(), AttemptListener.Result.SEAT_REFUSED,
                            why);
                }
            });
        }

        private Uni<Optional<ClaimOutcome<H>>> claim(ClaimCandidate<H> host) {
            return host.requests().size() == 1
                    ? tryOne(host.host(), host.requests().getFirst())
                    : Multi.createFrom().iterable(host.requests())
                            .onItem().transformToUniAndConcatenate(request -> tryOne(host.host(), request))
                            .select().where(Optional::isPresent)
                            .toUni()
                            .onItem().ifNull().continueWith(Optional::empty);
        }

        /** Returns empty if the next allocation request is to be tried. */
        private Uni<Optional<ClaimOutcome<H>>> tryOne(H host, AllocationRequest request) {
            return hasClaimed ? runUnlessOvertaken(() -> claimOne(host, request)) : claimOne(host, request);
        }

        /** Runs a further step if the request may still write to placement; otherwise ends the loop. */
        private Uni<Optional<ClaimOutcome<H>>> runUnlessOvertaken(Supplier<Uni<Optional<ClaimOutcome<H>>>> step) {
            return requestFence.invalidatesResponse().get()
                    .chain(mayWrite -> mayWrite ? step.get() : end(new ClaimOutcome.Overtaken<>()));
        }

        private Uni<Optional<ClaimOutcome<H>>> claimOne(H host, AllocationRequest request) {
            attempts++;
            hasClaimed = true;
            ClaimOutcome.Selected<H> selected = new ClaimOutcome.Selected<>(host, request);
            long number = requestFence.next().getAsLong();
            List<Claim> claims = claimsOf.apply(request);
            // The second argument: the amounts that concurrent requests count as used. For one consumer these are the
            // amounts of its own claim, which is the last one; a claim before it only transfers held allocations.
            return placement
                    .claim(
                            claims, consumers.size() == 1 ? claims.getLast().request() : request, number,
                            consumers.getFirst().requestId())
                    .chain(result -> switch (result) {
                        case ClaimResult.Claimed _ -> {
                            attemptListener.attempted(host, request, AttemptListener.Result.CLAIMED, "");
                            yield end(selected);
                        }
                        case ClaimResult.Denied denied -> {
                            attemptListener.attempted(host, request, AttemptListener.Result.DENIED, denied.why());
                            yield end(new ClaimOutcome.Denied<>(denied));
                        }
                        case ClaimResult.Refused refused ->
                            reportFailure(host, request, AttemptListener.Result.REFUSED, refused.detail());
                        case ClaimResult.ProvidersBusy busy -> reportFailure(
                                host, request, AttemptListener.Result.PROVIDERS_BUSY,
                                "providers kept changing through " + busy.attempts() + " attempts");
                        case ClaimResult.Fenced(long fence) ->
                            requestFence.fenced().apply(fence).chain(() -> end(new ClaimOutcome.Overtaken<>()));
                        case ClaimResult.Unreachable(String why) ->
                            runUnlessOvertaken(() -> settle(selected, number, why));
                        case ClaimResult.ConsumerChanged changed -> {
                            attemptListener.attempted(host, request, AttemptListener.Result.CONSUMER_CHANGED,
                                    changed.detail());
                            yield end(new ClaimOutcome.Aborted<>(changed.detail()));
                        }
                    });
        }

        /**
         * Settles a claim that had no response. Ends the loop if the claim holds or the settlement has no response,
         * too; otherwise continues it.
         */
        private Uni<Optional<ClaimOutcome<H>>> settle(ClaimOutcome.Selected<H> claim, long number, String why) {
            return settleRepeatedly(requestFence.next().getAsLong(), 0).chain(result -> switch (result) {
                case SettlementResult.Settled(var settledConsumers) when consumers.stream()
                        .map(consumer -> Maps.require(settledConsumers, consumer.uuid()))
                        .allMatch(consumer -> consumer.isWrittenBy(number, number)) -> {
                    attemptListener.attempted(claim.host(), claim.request(), AttemptListener.Result.CLAIMED_UNANSWERED,
                            "");
                    yield end(claim);
                }
                case SettlementResult.Settled _ -> continueAfterLoss(claim, why);
                case SettlementResult.Fenced(long fence) ->
                    requestFence.fenced().apply(fence).chain(() -> end(new ClaimOutcome.Overtaken<>()));
                case SettlementResult.UndoRefused _ -> throw new IllegalStateException(
                        "placement refused a rollback, but the settlement of a claim contains none");
                case SettlementResult.Unreachable(String settlementFailure) -> {
                    attemptListener.attempted(claim.host(), claim.request(), AttemptListener.Result.NO_ANSWER, why);
                    yield end(new ClaimOutcome.Unsettled<>(why + "; then " + settlementFailure));
                }
            });
        }

        /** Returns the first response to a settlement, or the last failure after {@value #SETTLEMENTS_MAX} attempts. */
        private Uni<SettlementResult> settleRepeatedly(long number, int attempt) {
            return placement
                    .settle(number, consumers.stream().map(Consumer::uuid).toList(), consumers.getFirst().requestId())
                    .chain(result -> result instanceof SettlementResult.Unreachable && attempt + 1 < SETTLEMENTS_MAX
                            ? Uni.createFrom().voidItem().onItem().delayIt().by(SETTLEMENT_PAUSE)
                                    .chain(() -> settleRepeatedly(number, attempt + 1))
                            : Uni.createFrom().item(result));
        }

        /** Sends a lost claim once more. After the second loss, continues with the next allocation request. */
        private Uni<Optional<ClaimOutcome<H>>> continueAfterLoss(ClaimOutcome.Selected<H> claim, String why) {
            boolean wasRepeated = lostRequests.contains(claim.request());
            lostRequests.add(claim.request());
            var next = reportFailure(claim.host(), claim.request(), AttemptListener.Result.NO_ANSWER, why);
            return lostRequests.size() == LOST_MAX
                    ? end(unavailable())
                    : wasRepeated ? next : claimOne(claim.host(), claim.request());
        }

        /**
         * Returns the outcome for a placement that does not respond. This is {@link ClaimOutcome.Denied} (503) instead
         * of {@link ClaimOutcome.NoneLeft}, because a host whose claim was lost may have enough free capacity.
         */
        private ClaimOutcome<H> unavailable() {
            return new ClaimOutcome.Denied<>(new ClaimResult.Denied(
                    503, "placement did not respond to a claim; the last attempt failed with: " + lastRefusal));
        }

        private Uni<Optional<ClaimOutcome<H>>> end(ClaimOutcome<H> outcome) {
            return Uni.createFrom().item(Optional.of(outcome));
        }

        /** Reports an attempt whose claim does not hold; returns empty, so that the loop continues. */
        private Uni<Optional<ClaimOutcome<H>>> reportFailure(
                H host, AllocationRequest request, AttemptListener.Result result, String refusal) {
            attemptListener.attempted(host, request, result, refusal);
            lastRefusal = refusal;
            return Uni.createFrom().item(Optional.empty());
        }
    }
}
