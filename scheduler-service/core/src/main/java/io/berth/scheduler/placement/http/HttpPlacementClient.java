package io.berth.scheduler.placement.http;

import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.CandidatesResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.placement.ReleaseResult;
import io.berth.scheduler.placement.ReleasedConsumersResult;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.placement.WhatIfResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.feed.CandidatesFeed;
import io.berth.scheduler.placement.feed.CandidatesParser;
import io.berth.scheduler.placement.inflight.InFlightCandidates;
import io.berth.scheduler.placement.inflight.InFlightClaims;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * {@link PlacementClient} over HTTP. Subtracts the in-flight claims of this replica from the candidates of requests
 * that will claim.
 */
@Singleton
public class HttpPlacementClient implements PlacementClient {
    /** For GET /allocations: the first microversion whose response has the consumer's generation. */
    private static final String ALLOCATIONS_MICROVERSION = "1.28";
    /** For provider names: a response at 1.0 has half the bytes of one at the newest microversion. */
    private static final String NAMES_MICROVERSION = "1.0";
    /** The pause before attempt n of a claim (the first is 0) is random, at most n times this, in milliseconds. */
    private static final long BACK_OFF_STEP_MS = 2_000;

    /**
     * Minimum time limit of one attempt to query a scenario. An attempt that begins when the time limit of the call is
     * used up is sent with this limit.
     */
    private static final long ATTEMPT_NANOS_MIN = 1_000_000;

    private static final ClaimResult NOT_SENT =
            new ClaimResult.Refused("",
                    "not sent: a claim in flight of another request of this scheduler uses the capacity");

    private final PlacementHttp http;
    private final CandidatesFeed candidates;
    private final InFlightCandidates inFlight;
    /** True once a response has shown that placement supports settlements. */
    private volatile boolean hasSettlements;

    HttpPlacementClient(PlacementHttp http, CandidatesExchange exchange) {
        this.http = http;
        this.inFlight = new InFlightCandidates(Runtime.getRuntime().availableProcessors(), http::after);
        this.candidates = new CandidatesFeed(exchange, inFlight::now);
    }

    @Override
    public Uni<CandidatesResult> allocationCandidates(String queryString, String requestId) {
        return candidates.ask(queryString, requestId).map(CandidatesFeed.DatedResult::answer);
    }

    @Override
    public Uni<CandidatesResult> candidatesToClaim(String queryString, String requestId) {
        return candidates.ask(queryString, requestId)
                .chain(dated -> inFlight.awaitTurn(requestId).map(ignored -> subtractInFlight(dated, requestId)));
    }

    @Override
    public void announce(AllocationRequest first, String requestId) {
        inFlight.announce(first, requestId);
    }

    @Override
    public boolean endTurn(String requestId) {
        return inFlight.end(requestId);
    }

    private CandidatesResult subtractInFlight(CandidatesFeed.DatedResult dated, String requestId) {
        return switch (dated.answer()) {
            case CandidatesResult.Found(AllocationCandidates found) ->
                new CandidatesResult.Found(inFlight.charge(requestId, found, dated.queriedAt()));
            case CandidatesResult.Refused refused -> refused;
            case CandidatesResult.Unreachable failure -> failure;
        };
    }

    @Override
    public Uni<AllocationsResult> getAllocations(UUID consumer, String requestId) {
        return http.repeatable(HttpMethod.GET, "/allocations/" + consumer, ALLOCATIONS_MICROVERSION, requestId)
                .<AllocationsResult>chain(answer -> answer.read(CandidatesParser::parseAllocations))
                .onFailure().recoverWithItem(failure -> new AllocationsResult.Unreachable(PlacementHttp.why(failure)));
    }

    @Override
    public Uni<ClaimResult> claim(
            List<Claim> claims, AllocationRequest counted, @Nullable Long number, String requestId) {
        Claim last = claims.getLast();
        if (claims.size() == 1) {
            Buffer body = Buffer.buffer(WrittenJson.bytes(last::render));
            String path = "/allocations/" + last.consumer();
            return sendCounted(counted, number, requestId, () -> write(
                    HttpMethod.PUT, path, body, last.consumer(), number, requestId));
        }
        Buffer body = Buffer.buffer(WrittenJson.objectBytes(json -> {
            for (Claim claim : claims) {
                json.writeFieldName(claim.consumer().toString());
                claim.render(json);
            }
        }));
        return sendCounted(counted, number, requestId, () -> write(
                HttpMethod.POST, "/allocations", body, last.consumer(), number, requestId));
    }

    @Override
    public Uni<Boolean> hasSettlements(String requestId) {
        if (hasSettlements) {
            return Uni.createFrom().item(true);
        }
        // If the route exists, placement refuses the empty body with 400.
        return http.repeatable(HttpMethod.POST, Settlements.PATH, MICROVERSION, Buffer.buffer("{}"), requestId)
                .map(answer -> answer.status() != 404)
                .invoke(has -> hasSettlements = has)
                .onFailure().recoverWithItem(true);
    }

    @Override
    public Uni<SettlementResult> settle(long number, List<UUID> consumers, String requestId) {
        return settle(Settlements.render(number, consumers), requestId);
    }

    @Override
    public Uni<SettlementResult> undo(long number, long first, long last, List<Claim> restored, String requestId) {
        return settle(Settlements.renderUndo(number, first, last, restored), requestId);
    }

    private Uni<SettlementResult> settle(byte[] body, String requestId) {
        return http.repeatable(HttpMethod.POST, Settlements.PATH, MICROVERSION, Buffer.buffer(body), requestId)
                .chain(Settlements::read)
                .onFailure().recoverWithItem(failure -> new SettlementResult.Unreachable(PlacementHttp.why(failure)));
    }

    /**
     * Sends a claim, whose amounts other requests of this replica subtract from their candidates while it is in flight.
     * Refuses the claim without sending it if the claims of other requests leave too little capacity.
     */
    private Uni<ClaimResult> sendCounted(
            AllocationRequest counted, @Nullable Long number, String requestId, Supplier<Uni<ClaimResult>> write) {
        return Uni.createFrom().deferred(() -> {
            InFlightClaims.TrackedClaim underway = inFlight.begin(counted, requestId);
            if (underway == null) {
                http.metrics().countTaken();
                return Uni.createFrom().item(NOT_SENT);
            }
            return withRetries(write).onTermination()
                    .invoke((result, failure, cancelled) -> endClaim(underway, number, result));
        });
    }

    private static void endClaim(InFlightClaims.TrackedClaim claim, @Nullable Long number,
            @Nullable ClaimResult result) {
        switch (result) {
            case ClaimResult.Refused _, ClaimResult.ProvidersBusy _, ClaimResult.ConsumerChanged _,
                    ClaimResult.Denied _, ClaimResult.Fenced _ -> claim.endRefused();
            // The caller settles a claim that has a fence number, and may then send it again with another number. So
            // this attempt must not be counted any longer.
            case ClaimResult.Unreachable _ when number != null -> claim.endRefused();
            case ClaimResult.Claimed _, ClaimResult.Unreachable _ -> claim.endHolding();
            // The call failed or was cancelled, so the claim may hold.
            case null -> claim.endHolding();
        }
    }

    /**
     * Repeats an attempt, {@link #CLAIM_ATTEMPTS_MAX} attempts in all, only if placement refused it because a provider
     * changed concurrently: such an attempt wrote nothing.
     */
    private static Uni<ClaimResult> withRetries(Supplier<Uni<ClaimResult>> attempt) {
        return Multi.createFrom().range(0, CLAIM_ATTEMPTS_MAX)
                .onItem().transformToUniAndConcatenate(n -> pauseBefore(n).chain(attempt::get))
                .select().where(result -> !(result instanceof ClaimResult.ProvidersBusy))
                .toUni()
                .onItem().ifNull().continueWith(() -> new ClaimResult.ProvidersBusy(CLAIM_ATTEMPTS_MAX));
    }

    /** Completes after the random pause before an attempt. */
    private static Uni<Void> pauseBefore(int attempt) {
        if (attempt == 0) {
            return Uni.createFrom().voidItem();
        }
        long waitMs = ThreadLocalRandom.current().nextLong(BACK_OFF_STEP_MS * attempt + 1);
        return Uni.createFrom().voidItem().onItem().delayIt().by(Duration.ofMillis(Math.max(1, waitMs)));
    }

    private Uni<ClaimResult> write(
            HttpMethod method, String path, Buffer body, UUID consumer, @Nullable Long number, String requestId) {
        return http.write(method, path, MICROVERSION, body, number, requestId)
                .map(answer -> claimResult(answer, consumer))
                .onFailure().recoverWithItem(failure -> PlacementHttp.wasNotSent(failure)
                        ? new ClaimResult.Denied(503, "placement is unavailable: " + PlacementHttp.why(failure))
                        : new ClaimResult.Unreachable(PlacementHttp.why(failure)))
                .invoke(http.metrics()::countClaim);
    }

    private static ClaimResult claimResult(PlacementHttp.Response answer, UUID consumer) {
        if (answer.status() == 204) {
            return new ClaimResult.Claimed(consumer);
        }
        String refusesUs = answer.credentialsRefusal();
        if (refusesUs != null) {
            return new ClaimResult.Denied(answer.status(), refusesUs);
        }
        PlacementRefusal refusal = PlacementRefusal.parse(answer.body().getBytes());
        if (answer.status() != 409 && !refusal.namesAnAbsentProvider()) {
            return new ClaimResult.Denied(answer.status(), refusal.detail());
        }
        if (refusal.fence() != null) {
            return new ClaimResult.Fenced(refusal.fence());
        }
        if (refusal.isConsumerConflict()) {
            return new ClaimResult.ConsumerChanged(consumer, refusal.consumerGeneration(), refusal.detail());
        }
        if (refusal.isConcurrentUpdate()) {
            return new ClaimResult.ProvidersBusy(1);
        }
        return new ClaimResult.Refused(refusal.code(), refusal.detail());
    }

    @Override
    public Uni<ReleaseResult> deleteAllocations(UUID consumer, @Nullable Long number, String requestId) {
        return http.write(HttpMethod.DELETE, "/allocations/" + consumer, MICROVERSION, null, number, requestId)
                .map(answer -> switch (answer.status()) {
                    case 204 -> (ReleaseResult) new ReleaseResult.Released();
                    case 404 -> new ReleaseResult.NothingHeld();
                    default -> notReleased(answer);
                })
                .onFailure().recoverWithItem(failure -> new ReleaseResult.Unreachable(PlacementHttp.why(failure)));
    }

    private static ReleaseResult notReleased(PlacementHttp.Response answer) {
        Long fence = PlacementRefusal.fenceOf(answer);
        return fence != null
                ? new ReleaseResult.Fenced(fence)
                : new ReleaseResult.Unreachable("placement answered " + answer.status());
    }

    @Override
    public Uni<ReleasedConsumersResult> releasedSince(@Nullable String since, String requestId) {
        String query = since == null ? "" : "?since=" + URLEncoder.encode(since, StandardCharsets.UTF_8);
        return http.repeatable(HttpMethod.GET, "/berth/v1/released_consumers" + query, MICROVERSION, requestId)
                // Placement responds 400 to a position of another version of itself; then read its present position.
                .chain(answer -> answer.status() == 400 && since != null
                        ? releasedSince(null, requestId)
                        : answer.status() == 404
                                ? Uni.createFrom().item(new ReleasedConsumersResult.NoLog())
                                : answer.<ReleasedConsumersResult>read(CandidatesParser::parseReleased))
                .onFailure().recoverWithItem(
                        failure -> new ReleasedConsumersResult.Unreachable(PlacementHttp.why(failure)));
    }

    @Override
    public Uni<Map<UUID, Boolean>> holding(List<UUID> consumers, String requestId) {
        Buffer body = Buffer.buffer(consumers.stream()
                .map(UUID::toString)
                .collect(Collectors.joining("\",\"", "{\"consumers\":[\"", "\"]}")));
        return http.repeatable(HttpMethod.POST, "/berth/v1/holding_consumers", MICROVERSION, body, requestId)
                .chain(answer -> answer.status() == 404
                        ? PlacementClient.super.holding(consumers, requestId)
                        : answer.read(CandidatesParser::parseHolding).map(
                                holding -> consumers.stream().distinct()
                                        .collect(Collectors.toMap(each -> each, holding::contains))))
                .onFailure().recoverWithItem(failure -> Map.of());
    }

    @Override
    public Uni<ProvidersResult> listProviders(String requestId) {
        return providers("/resource_providers", NAMES_MICROVERSION, requestId);
    }

    @Override
    public Uni<ProvidersResult> findProviders(String queryString, String requestId) {
        return providers("/resource_providers?" + queryString, MICROVERSION, requestId);
    }

    private Uni<ProvidersResult> providers(String path, String microversion, String requestId) {
        return http.repeatable(HttpMethod.GET, path, microversion, requestId)
                .chain(answer -> answer.read(CandidatesParser::parseProviderNames))
                .<ProvidersResult>map(ProvidersResult.Listed::new)
                .onFailure().recoverWithItem(failure -> new ProvidersResult.Unreachable(PlacementHttp.why(failure)));
    }

    @Override
    public Uni<WhatIfResult> whatIf(byte[] body, Duration atMost, String requestId) {
        long deadlineNanos = System.nanoTime() + atMost.toNanos();
        return Multi.createFrom().range(0, VIEW_ATTEMPTS_MAX)
                .onItem().transformToUniAndConcatenate(n -> http.questionToReplica(
                        HttpMethod.POST, "/berth/v1/what_if", MICROVERSION, Buffer.buffer(body),
                        Duration.ofNanos(Math.max(ATTEMPT_NANOS_MIN, deadlineNanos - System.nanoTime())),
                        closesConnection(n), requestId))
                .select().where(answer -> !isViewElsewhere(answer))
                .toUni()
                .map(answer -> answer == null ? new WhatIfResult.ViewLost() : whatIf(answer))
                .onFailure().recoverWithItem(failure -> new WhatIfResult.Unreachable(PlacementHttp.why(failure)));
    }

    /**
     * Returns whether the connection is closed after an attempt. A load balancer in front of placement may choose the
     * replica per request or per connection, so each connection is used for two attempts.
     */
    private static boolean closesConnection(int attempt) {
        return attempt % 2 == 1;
    }

    /** Returns whether another replica of placement keeps the view that the query names, if any does. */
    private static boolean isViewElsewhere(PlacementHttp.Response answer) {
        return answer.status() == 409
                && PlacementRefusal.parse(answer.body().getBytes()).code().equals("berth.view_elsewhere");
    }

    private static WhatIfResult whatIf(PlacementHttp.Response answer) {
        if (answer.status() == 200) {
            return new WhatIfResult.Received(answer.body().getBytes());
        }
        String refusesUs = answer.credentialsRefusal();
        if (refusesUs != null) {
            return new WhatIfResult.Unreachable(refusesUs);
        }
        PlacementRefusal refusal = PlacementRefusal.parse(answer.body().getBytes());
        return switch (answer.status()) {
            // OpenStack's Placement lacks the route. Berth's responds 404 if the scenario names an unknown provider.
            case 404, 405 -> refusal.detail().contains("provider")
                    ? new WhatIfResult.Refused(answer.status(), refusal.detail())
                    : new WhatIfResult.NotSupported();
            // berth.view_gone: the view is not kept any longer.
            case 409 -> new WhatIfResult.ViewLost();
            default -> new WhatIfResult.Refused(answer.status(), refusal.detail());
        };
    }
}
