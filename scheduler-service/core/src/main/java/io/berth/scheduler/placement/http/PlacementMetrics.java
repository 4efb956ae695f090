package io.berth.scheduler.placement.http;

import io.berth.model.Maps;
import io.berth.observability.Latency;
import io.berth.scheduler.placement.ClaimResult;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.smallrye.faulttolerance.api.CircuitBreakerState;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The metrics of calls to placement, of parsing responses with candidates, and of claims. */
@Singleton
class PlacementMetrics {
    /** The groups of placement's routes: the label {@code part}. */
    private enum Part {
        CANDIDATES, ALLOCATIONS, RESOURCE_PROVIDERS, OTHER
    }

    /**
     * The results of calls: the label {@code result}. ANSWERED: status below 400; REFUSED: 4xx; FAILED: 5xx or no
     * response.
     */
    private enum CallResult {
        ANSWERED, REFUSED, FAILED
    }

    /**
     * The results of attempts to claim: the label {@code result}. TAKEN: not sent, because a claim of another request
     * of this replica uses the capacity. The others are the cases of {@link ClaimResult}.
     */
    private enum ClaimLabel {
        CLAIMED, REFUSED, PROVIDERS_BUSY, UNREACHABLE, CONSUMER_CHANGED, DENIED,
        FENCED, TAKEN
    }

    private final Map<Part, Map<CallResult, Timer>> calls = new EnumMap<>(Part.class);
    private final Map<ClaimLabel, Counter> claims = new EnumMap<>(ClaimLabel.class);
    private final Timer parse;
    private final Counter bytes;
    private volatile CircuitBreakerState breaker = CircuitBreakerState.CLOSED;

    PlacementMetrics(MeterRegistry meters) {
        for (Part part : Part.values()) {
            Map<CallResult, Timer> byResult = new EnumMap<>(CallResult.class);
            for (CallResult callResult : CallResult.values()) {
                byResult.put(callResult, Latency.timer(
                        meters, "berth.placement.calls",
                        "Calls to placement: answered, refused (4xx, also 408 and 429), failed (5xx or no response)",
                        "part", label(part), "result", label(callResult)));
            }
            calls.put(part, byResult);
        }
        for (ClaimLabel claimed : ClaimLabel.values()) {
            claims.put(claimed, Counter.builder("berth.claim.attempts")
                    .description(
                            "Claims by result; taken: not sent, because a claim of another request of this scheduler"
                                    + " uses the capacity")
                    .tag("result", label(claimed))
                    .register(meters));
        }
        parse = Latency.timer(meters, "berth.candidates.parse", "Duration of parsing one response with candidates");
        bytes = Counter.builder("berth.candidates.read")
                .description("Size of the parsed responses with candidates")
                .baseUnit("bytes")
                .register(meters);
        Gauge.builder("berth.placement.breaker", this, metrics -> metrics.breaker == CircuitBreakerState.CLOSED ? 0 : 1)
                .description("1 while the circuit breaker rejects calls to placement, else 0")
                .register(meters);
    }

    /** Returns metrics that are not exported. */
    static PlacementMetrics none() {
        return new PlacementMetrics(new CompositeMeterRegistry());
    }

    private static String label(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    void setBreaker(CircuitBreakerState state) {
        breaker = state;
    }

    /**
     * Records one call.
     *
     * @param status 0 if there was no response
     * @param nanos duration in nanoseconds
     */
    void recordCall(String path, int status, long nanos) {
        CallResult callResult = status == 0 || status >= 500
                ? CallResult.FAILED
                : status >= 400
                        ? CallResult.REFUSED
                        : CallResult.ANSWERED;
        Maps.require(Maps.require(calls, part(path)), callResult).record(nanos, TimeUnit.NANOSECONDS);
    }

    private static Part part(String path) {
        if (path.startsWith("/allocation_candidates")
                || path.startsWith("/berth/v1/candidates")
                || path.startsWith("/berth/v1/provider_trees")
                || path.startsWith("/berth/v1/allocation_candidates")) {
            return Part.CANDIDATES;
        }
        if (path.startsWith("/allocations")) {
            return Part.ALLOCATIONS;
        }
        return path.startsWith("/resource_providers") ? Part.RESOURCE_PROVIDERS : Part.OTHER;
    }

    /**
     * Records the parsing of one response.
     *
     * @param answerBytes size of the body
     * @param nanos duration in nanoseconds
     */
    void recordParsing(long answerBytes, long nanos) {
        parse.record(nanos, TimeUnit.NANOSECONDS);
        bytes.increment(answerBytes);
    }

    /** Counts a claim that was not sent, because a claim of another request of this replica uses the capacity. */
    void countTaken() {
        Maps.require(claims, ClaimLabel.TAKEN).increment();
    }

    void countClaim(ClaimResult result) {
        Maps.require(claims, switch (result) {
            case ClaimResult.Claimed _ -> ClaimLabel.CLAIMED;
            case ClaimResult.Refused _ -> ClaimLabel.REFUSED;
            case ClaimResult.ProvidersBusy _ -> ClaimLabel.PROVIDERS_BUSY;
            case ClaimResult.Unreachable _ -> ClaimLabel.UNREACHABLE;
            case ClaimResult.ConsumerChanged _ -> ClaimLabel.CONSUMER_CHANGED;
            case ClaimResult.Denied _ -> ClaimLabel.DENIED;
            case ClaimResult.Fenced _ -> ClaimLabel.FENCED;
        }).increment();
    }
}
