package io.berth.scheduler.placement.feed;

import io.berth.context.CallerContext;
import io.berth.scheduler.placement.CandidatesAnswer;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Keeps the last answer to each of the queries asked lately, and has placement tell the next one as what changed.
 * Callers with the same query that wait at the same moment share one exchange; one that arrives while an exchange is
 * under way waits for the next, so that no answer is older than the question. Bounded in queries and in trees; any
 * thread may call, the answer comes on the caller's Vert.x context.
 */
public final class CandidatesFeed {
    static final int QUERIES_MAX = 256;
    /** Trees of all answers held; about a kilobyte each. */
    static final int ROOTS_MAX = 100_000;
    /** Callers that may wait for one answer; more fail at once. */
    private static final int WAITERS_MAX = 10_000;

    private final Exchange exchange;
    private final LongSupplier clock;
    private final Object lock = new Object();
    private final LinkedHashMap<String, Line> lines = new LinkedHashMap<>(64, 0.75f, true);
    private long rootsHeld;

    /** @param clock moments that only rise */
    public CandidatesFeed(Exchange exchange, LongSupplier clock) {
        this.exchange = exchange;
        this.clock = clock;
    }

    /** One question and its answer. */
    @FunctionalInterface
    public interface Exchange {
        /** Never fails for anything placement or the network does. */
        Uni<Told> ask(String query, @Nullable HeldCandidates held, String requestId);
    }

    /**
     * What to answer, and what to hold.
     *
     * @param held null when there is nothing that placement could tell changes of
     */
    public record Told(CandidatesAnswer answer, @Nullable HeldCandidates held) {}

    /** @param askedAt a moment before the question was sent */
    public record Dated(CandidatesAnswer answer, long askedAt) {}

    private record Waiter(UniEmitter<? super Dated> emitter, Executor caller, String requestId) {
        void answer(CandidatesAnswer answer, long askedAt) {
            caller.execute(() -> emitter.complete(new Dated(answer, askedAt)));
        }
    }

    /** One query's callers and what is held of it. Guarded by the lock. */
    private static final class Line {
        private final String query;
        private List<Waiter> waiting = new ArrayList<>();
        private boolean asking;
        private HeldCandidates held;
        /** Whether it still stands in the map; else what it holds is not counted. */
        private boolean isKnown = true;

        Line(String query) {
            this.query = query;
        }

        int roots() {
            return held == null ? 0 : held.roots();
        }
    }

    /** As placement has it after this call. Never fails. */
    public Uni<Dated> ask(String query, String requestId) {
        return Uni.createFrom().emitter(emitter -> {
            var waiter = new Waiter(emitter, CallerContext.executor(), requestId);
            Line line;
            boolean ask = false;
            boolean refused = false;
            synchronized (lock) {
                line = lines.computeIfAbsent(query, Line::new);
                if (line.waiting.size() >= WAITERS_MAX) {
                    refused = true;
                } else {
                    line.waiting.add(waiter);
                    ask = !line.asking;
                    line.asking = true;
                }
                forgetOldest(line);
            }
            if (refused) {
                waiter.answer(
                        new CandidatesAnswer.Unreachable("too many requests wait for placement: " + WAITERS_MAX),
                        clock.getAsLong());
            } else if (ask) {
                ask(line);
            }
        });
    }

    /** Only one exchange of a line is under way at a time; its answer starts the next while anyone waits. */
    private void ask(Line line) {
        List<Waiter> served;
        HeldCandidates held;
        synchronized (lock) {
            served = line.waiting;
            line.waiting = new ArrayList<>();
            held = line.held;
        }
        long askedAt = clock.getAsLong();
        exchange.ask(line.query, held, served.getFirst().requestId()).subscribe().with(
                told -> answered(line, served, told, askedAt),
                bug -> answered(
                        line, served, new Told(new CandidatesAnswer.Unreachable(String.valueOf(bug)), null), askedAt));
    }

    private void answered(Line line, List<Waiter> served, Told told, long askedAt) {
        boolean again;
        synchronized (lock) {
            rootsHeld -= line.isKnown ? line.roots() : 0;
            line.held = told.held();
            rootsHeld += line.isKnown ? line.roots() : 0;
            forgetOldest(line);
            again = !line.waiting.isEmpty();
            line.asking = again;
        }
        for (Waiter waiter : served) {
            waiter.answer(told.answer(), askedAt);
        }
        if (again) {
            ask(line);
        }
    }

    /** But not {@code current}, unless it alone is too much: then what it holds is dropped. */
    private void forgetOldest(Line current) {
        var oldest = lines.values().iterator();
        while ((lines.size() > QUERIES_MAX || rootsHeld > ROOTS_MAX) && oldest.hasNext()) {
            Line line = oldest.next();
            if (line != current) {
                oldest.remove();
                line.isKnown = false;
                rootsHeld -= line.roots();
            }
        }
        if (rootsHeld > ROOTS_MAX && current.isKnown) {
            rootsHeld -= current.roots();
            current.held = null;
        }
    }

    int queriesHeld() {
        synchronized (lock) {
            return lines.size();
        }
    }

    long rootsHeld() {
        synchronized (lock) {
            return rootsHeld;
        }
    }
}
