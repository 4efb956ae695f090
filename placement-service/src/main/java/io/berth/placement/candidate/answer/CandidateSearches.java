package io.berth.placement.candidate.answer;

import io.berth.context.CallerContext;
import io.berth.http.Budget;
import io.berth.placement.candidate.answer.SearchTask.Outcome;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.ResolvedQuery;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.AnswerWorkers;
import io.berth.placement.http.Call;
import io.berth.placement.http.LongBody;
import io.berth.placement.http.LongLists;
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
 * Runs searches for allocation candidates, small ones on the event loop, others on a worker. Refuses a search or a
 * response that is too large with 400.
 */
@Singleton
public final class CandidateSearches {
    /**
     * The steps of a search that the event loop runs before a worker takes over, less than half a millisecond of work.
     */
    private static final long STEPS_INLINE = 4_000;
    /** The largest response, in bytes, that the event loop copies into one array; a larger one is sent in parts. */
    private static final int AT_ONCE_MAX = 1 << 20;

    private final AnswerWorkers workers;
    private final CandidateOptions options;
    private final CandidateMetrics metrics;
    /** The memory of results that are held until they are sent; bounded by the largest response. */
    private final Budget held;

    /**
     * @param randomize whether a random choice is answered where {@code limit} leaves candidates out
     * @param candidatesMax candidates after which a search ends; -1: no maximum
     * @param strategy {@code breadth-first} takes candidates of each root in turn, {@code depth-first} root by root
     */
    CandidateSearches(
            AnswerWorkers workers,
            @ConfigProperty(name = "berth.placement.placement.randomize-allocation-candidates",
                    defaultValue = "false") boolean randomize,
            @ConfigProperty(name = "berth.placement.placement.max-allocation-candidates",
                    defaultValue = "-1") int candidatesMax,
            @ConfigProperty(name = "berth.placement.placement.allocation-candidates-generation-strategy",
                    defaultValue = "breadth-first") String strategy,
            CandidateMetrics metrics) {
        this.workers = workers;
        this.held = new Budget(workers.answerBytesMax());
        this.metrics = metrics;
        this.options = new CandidateOptions(randomize, candidatesMax, CandidateOptions.Strategy.parse(strategy));
    }

    /** Returns whether the same query on the same view always has the same response. */
    boolean areRepeatable() {
        return !options.randomize();
    }

    public CandidateOptions options() {
        return options;
    }

    /** Returns null unless the options want random order. */
    public @Nullable RandomGenerator random() {
        return options.randomize() ? new SplittableRandom() : null;
    }

    /** Counts a response from the cache. */
    void repeated() {
        metrics.repeated();
    }

    /**
     * Responds with this body. A large body is refused with 503 if the responses that clients have not read yet fill
     * the budget.
     */
    Response answer(Call call, RoutingContext http, JsonBytes json) {
        if (json.length() <= AT_ONCE_MAX) {
            return Responses.ok(call, json.toByteArray(), System.currentTimeMillis());
        }
        LongLists.hold(held, http, json.length());
        return Responses.ok(
                call, new LongBody(http, 0, json::parts), System.currentTimeMillis());
    }

    /** Creates a search with its response. */
    SearchTask task(FleetView view, ResolvedQuery query, AnswerBody body) {
        return new SearchTask(view, query, options, random(), body);
    }

    /**
     * Returns the finished body on the caller's context.
     *
     * @param task tried first on the caller's thread
     * @param again creates an equal task once a worker is free. The first task is not kept until then, because a
     *         thousand requests may wait for a worker and a started task may take more than a megabyte
     */
    Uni<JsonBytes> run(RoutingContext http, SearchTask task, Supplier<SearchTask> again) {
        Outcome atOnce = task.tryFor(STEPS_INLINE);
        if (atOnce != null) {
            metrics.ended(atOnce, task);
            return Uni.createFrom().item(atOnce.bytes(workers.answerBytesMax()));
        }
        metrics.handedToWorker();
        return workers.run(CallerContext.executor(), () -> finish(http, again.get()))
                .onItem().ifNull().failWith(ClosedChannelException::new)
                .map(outcome -> outcome.bytes(workers.answerBytesMax()));
    }

    /** Returns null if the caller has left; then no metric is recorded either. */
    private @Nullable Outcome finish(RoutingContext http, SearchTask task) {
        Outcome outcome = task.finish(() -> LongLists.isOver(http));
        if (outcome != null) {
            metrics.ended(outcome, task);
        }
        return outcome;
    }
}
