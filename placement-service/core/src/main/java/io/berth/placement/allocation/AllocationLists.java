package io.berth.placement.allocation;

import io.berth.context.CallerContext;
import io.berth.placement.allocation.AllocationStore.Allocated;
import io.berth.placement.allocation.AllocationStore.AllocationSet;
import io.berth.placement.http.Call;
import io.berth.placement.http.LongBody;
import io.berth.placement.http.LongLists;
import io.berth.placement.http.ResponseWorkers;
import io.berth.placement.http.Responses;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongConsumer;

/**
 * Responds with lists of allocations. A list of at most {@link LongLists#AT_ONCE_MAX} rows is rendered at once. A
 * longer list is read when no other long list is being read ({@link LongLists#runInTurn}), and is sent in chunks.
 */
@Singleton
final class AllocationLists {
    /** The most rows that the first query reads. A result with fewer rows is the whole list. */
    static final int FIRST_ROWS_MAX = LongLists.AT_ONCE_MAX + 1;

    private final ResponseWorkers workers;
    private final LongLists lists;

    AllocationLists(ResponseWorkers workers, LongLists lists) {
        this.workers = workers;
        this.lists = lists;
    }

    /** Reads all rows of a long list; the parameters are those of {@link AllocationStore#readOnProvider}. */
    @FunctionalInterface
    interface Reading<T> {
        Uni<T> read(LongConsumer reserveBytes, BooleanSupplier isOver);
    }

    /**
     * Responds with {@code few} if the whole list has less than {@link #FIRST_ROWS_MAX} rows. Otherwise reads {@code
     * all}, when no other long list is being read.
     *
     * @param few the first rows, at most {@link #FIRST_ROWS_MAX}; a null item if the provider does not exist or the
     *         consumer holds nothing
     * @param all reads the whole list
     * @param answer renders the response; called with null if {@code few} or {@code all} returned null, or if the
     *         client has disconnected before a long list was read
     */
    <T extends AllocationSet> Uni<Response> answer(
            RoutingContext http, Uni<T> few, Reading<T> all, Function<T, Response> answer) {
        Executor caller = CallerContext.executor();
        return few.chain(first -> first == null || first.amounts().size() < FIRST_ROWS_MAX
                ? Uni.createFrom().item(() -> answer.apply(first))
                : lists.runInTurn(() -> read(http, all))
                        .chain(allocations -> workers.run(caller, () -> answer.apply(allocations))));
    }

    private <T> Uni<T> read(RoutingContext http, Reading<T> all) {
        return LongLists.isResponseOver(http)
                ? Uni.createFrom().nullItem()
                : all.read(bytes -> lists.reserve(http, bytes), () -> LongLists.isResponseOver(http));
    }

    /**
     * Renders a list of less than {@link #FIRST_ROWS_MAX} amounts as one body, and a longer list as a {@link LongBody}.
     *
     * @param render renders a sublist as a complete response body
     */
    static Response render(
            Call call, RoutingContext http, AllocatedColumns amounts, Function<List<Allocated>, byte[]> render) {
        return amounts.size() < FIRST_ROWS_MAX
                ? Responses.ok(call, render.apply(amounts), amounts.updatedAtMs())
                : Responses.ok(
                        call, new LongBody(http, 0, () -> AllocationJson.parts(amounts, render)),
                        amounts.updatedAtMs());
    }
}
