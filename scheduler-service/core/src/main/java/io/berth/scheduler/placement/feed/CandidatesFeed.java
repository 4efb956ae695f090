package io.berth.scheduler.placement.feed;

import io.berth.context.CallerContext;
import io.berth.scheduler.placement.CandidatesResult;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Sends queries for candidates. Concurrent callers with the same query share one exchange, which is a request and its
 * response. A caller that arrives during an exchange waits for the next one, so that each response is newer than the
 * calls it serves. Responses are not cached. Thread-safe; a response is emitted on the caller's Vert.x context.
 */
public final class CandidatesFeed {
    /** Maximum callers that wait for one exchange; further callers get {@link CandidatesResult.Unreachable} at once. */
    private static final int WAITERS_MAX = 10_000;

    private final Exchange exchange;
    private final LongSupplier clock;
    /**
     * The callers that wait for the next exchange, by query. A key exists while an exchange of its query is in flight.
     * Guarded by itself.
     */
    private final Map<String, List<Waiter>> waiting = new HashMap<>();

    /** @param clock returns a higher number at each call */
    public CandidatesFeed(Exchange exchange, LongSupplier clock) {
        this.exchange = exchange;
        this.clock = clock;
    }

    /** Sends one query and parses its response. */
    @FunctionalInterface
    public interface Exchange {
        /** Never fails for an error of placement or the network. */
        Uni<CandidatesResult> ask(String query, String requestId);
    }

    /**
     * A response and its age.
     *
     * @param queriedAt a value of the clock before the query was sent, or at the refusal of a caller beyond the limit
     */
    public record DatedResult(CandidatesResult answer, long queriedAt) {}

    /** A caller that waits for a response. */
    private record Waiter(UniEmitter<? super DatedResult> emitter, Executor caller, String requestId) {
        void answer(CandidatesResult answer, long askedAt) {
            caller.execute(() -> emitter.complete(new DatedResult(answer, askedAt)));
        }
    }

    /**
     * Returns the candidates in a state of placement not older than this call. Never fails; an error is a case of the
     * result.
     */
    public Uni<DatedResult> ask(String query, String requestId) {
        return Uni.createFrom().emitter(emitter -> {
            var waiter = new Waiter(emitter, CallerContext.executor(), requestId);
            List<Waiter> nextCallers;
            boolean isRefused = false;
            synchronized (waiting) {
                nextCallers = waiting.get(query);
                if (nextCallers == null) {
                    waiting.put(query, new ArrayList<>(1));
                } else if (nextCallers.size() < WAITERS_MAX) {
                    nextCallers.add(waiter);
                } else {
                    isRefused = true;
                }
            }
            if (nextCallers == null) {
                ask(query, List.of(waiter));
            } else if (isRefused) {
                waiter.answer(
                        new CandidatesResult.Unreachable(
                                "more than " + WAITERS_MAX + " requests wait for the response to one query"),
                        clock.getAsLong());
            }
        });
    }

    private void ask(String query, List<Waiter> served) {
        long askedAt = clock.getAsLong();
        exchange.ask(query, served.getFirst().requestId()).subscribe().with(
                answer -> endExchange(query, served, answer, askedAt),
                bug -> endExchange(query, served, new CandidatesResult.Unreachable(String.valueOf(bug)), askedAt));
    }

    /** Completes the callers of an exchange, and begins the next one if any caller waits for it. */
    private void endExchange(String query, List<Waiter> served, CandidatesResult answer, long askedAt) {
        List<Waiter> next;
        synchronized (waiting) {
            next = waiting.getOrDefault(query, List.of());
            if (next.isEmpty()) {
                waiting.remove(query);
            } else {
                waiting.put(query, new ArrayList<>(1));
            }
        }
        served.forEach(waiter -> waiter.answer(answer, askedAt));
        if (!next.isEmpty()) {
            ask(query, next);
        }
    }

    /** Returns the number of exchanges in flight. */
    int exchangesInFlight() {
        synchronized (waiting) {
            return waiting.size();
        }
    }
}
