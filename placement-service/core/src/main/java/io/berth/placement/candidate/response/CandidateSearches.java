package io.berth.placement.candidate.response;

import io.berth.context.CallerContext;
import io.berth.http.ByteBudget;
import io.berth.placement.candidate.response.SearchTask.Outcome;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.Call;
import io.berth.placement.http.LongBody;
import io.berth.placement.http.LongLists;
import io.berth.placement.http.ResponseWorkers;
import io.berth.placement.http.Responses;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.nio.channels.ClosedChannelException;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Runs searches for allocation candidates. A search starts on the caller's event loop. If its preparation, the search
 * or the rendering of its response would take more than {@link #STEPS_INLINE} steps, a worker thread runs the same
 * search from the beginning. A search with too many combinations, or a response that is too large, is refused with 400.
 */
@Singleton
public final class CandidateSearches {
    /** The most steps of a search that the event loop runs: less than half a millisecond of work. */
    private static final long STEPS_INLINE = 4_000;
    /**
     * The largest response, in bytes, that the event loop copies into one array; a larger response is sent in chunks.
     */
    private static final int AT_ONCE_MAX = 1 << 20;

    private final ResponseWorkers workers;
    private final CandidateOptions options;
    private final CandidateMetrics metrics;
    /**
     * The memory of responses of more than {@link #AT_ONCE_MAX} bytes that clients have not read yet; all together may
     * take as much as one response of the largest permitted size.
     */
    private final ByteBudget responseBudget;

    /**
     * @param randomize whether candidates are in random order, so that {@code limit} selects a random sample
     * @param candidatesMax the most candidates in a response, independent of {@code limit}; -1 for no maximum
     * @param strategy the order of candidates: {@code breadth-first} takes one candidate of each tree in turn, {@code
     *         depth-first} all candidates of a tree before those of the next. Without {@code limit} and maximum, the
     *         order is always {@code depth-first}
     */
    CandidateSearches(
            ResponseWorkers workers,
            @ConfigProperty(name = "berth.placement.placement.randomize-allocation-candidates",
                    defaultValue = "false") boolean randomize,
            @ConfigProperty(name = "berth.placement.placement.max-allocation-candidates",
                    defaultValue = "-1") int candidatesMax,
            @ConfigProperty(name = "berth.placement.placement.allocation-candidates-generation-strategy",
                    defaultValue = "breadth-first") String strategy,
            CandidateMetrics metrics) {
        this.workers = workers;
        this.responseBudget = new ByteBudget(workers.responseBytesMax());
        this.metrics = metrics;
        this.options = new CandidateOptions(randomize, candidatesMax, CandidateOptions.Strategy.parse(strategy));
    }

    /**
     * Returns whether the same query on the same view always has the same response, so that the response may be cached.
     */
    boolean areResponsesRepeatable() {
        return !options.randomize();
    }

    /** Returns the operator's options for searches. */
    public CandidateOptions options() {
        return options;
    }

    /** Returns a new source of random order; null if the operator did not configure random order. */
    public @Nullable RandomGenerator random() {
        return options.randomize() ? new SplittableRandom() : null;
    }

    /** Counts a response from {@link ResponseCache}. */
    void countRepeated() {
        metrics.countRepeated();
    }

    /**
     * Returns the response with this body. A large body is sent in chunks.
     *
     * @throws io.berth.placement.http.ApiException 503 if the body is large and the responses that clients have not
     *         read yet leave too little memory
     */
    Response toResponse(Call call, RoutingContext http, JsonBytes json) {
        if (json.length() <= AT_ONCE_MAX) {
            return Responses.ok(call, json.toByteArray(), System.currentTimeMillis());
        }
        LongLists.reserve(responseBudget, http, json.length());
        return Responses.ok(
                call, new LongBody(http, 0, json::parts), System.currentTimeMillis());
    }

    /** Creates a search that writes its candidates into {@code body}. */
    SearchTask task(FleetView view, ResolvedQuery query, CandidatesBody body) {
        return new SearchTask(view, query, options, random(), body);
    }

    /**
     * Runs the search. The completed body arrives on the caller's Vert.x context. The result fails with an {@code
     * ApiException}: with status 400 if the search has too many combinations or the response is too large, with status
     * 503 if too many searches wait for a worker thread. It fails with a {@code ClosedChannelException} if the client
     * disconnects before the end of a search on a worker thread.
     *
     * @param task the search to run first, on the caller's thread
     * @param newTask creates an equal task when a worker thread is free. The first task is discarded, because a
     *         thousand requests may wait for a worker, and a started task may take more than a megabyte
     */
    Uni<JsonBytes> run(RoutingContext http, SearchTask task, Supplier<SearchTask> newTask) {
        Outcome inlineOutcome = task.tryFor(STEPS_INLINE);
        if (inlineOutcome != null) {
            metrics.recordEnd(inlineOutcome, task);
            return Uni.createFrom().item(inlineOutcome.bytes(workers.responseBytesMax()));
        }
        metrics.countHandedToWorker();
        return workers.run(CallerContext.executor(), () -> finish(http, newTask.get()))
                .onItem().ifNull().failWith(ClosedChannelException::new)
                .map(outcome -> outcome.bytes(workers.responseBytesMax()));
    }

    /**
     * Runs the search to its end, on a worker thread. Returns null if the client has disconnected; no metric is
     * recorded then.
     */
    private @Nullable Outcome finish(RoutingContext http, SearchTask task) {
        Outcome outcome = task.finish(() -> LongLists.isResponseOver(http));
        if (outcome != null) {
            metrics.recordEnd(outcome, task);
        }
        return outcome;
    }
}
