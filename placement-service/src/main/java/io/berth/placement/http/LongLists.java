package io.berth.placement.http;

import io.berth.context.CallerContext;
import io.berth.http.Budget;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/**
 * Limits the memory of all lists that are sent in parts: the data that they are rendered from may take a sixteenth of
 * the heap until clients have read them. Lists from the database are read one at a time.
 */
@Singleton
public final class LongLists {
    /**
     * The bytes that a list takes for an element that is in memory anyway: a reference, in a heap of less than 32 GB.
     */
    public static final int REFERENCE_BYTES = 4;
    /** The number of elements of the longest list that is sent in one part. */
    public static final int AT_ONCE_MAX = 2_000;
    private static final int SHARE_OF_HEAP = 16;
    private static final String TURN = LongLists.class.getName();
    private static final long TURN_WAIT_MS_MAX = 20_000;

    private final Budget budget = new Budget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    private final Vertx vertx;

    LongLists(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * Reserves bytes until the client has read everything or is gone. Call it on the request's event loop.
     *
     * @throws ApiException 503 if too little is left
     */
    public void hold(RoutingContext http, long bytes) {
        hold(budget, http, bytes);
    }

    /** Reserves bytes of another budget in the same way. */
    public static void hold(Budget budget, RoutingContext http, long bytes) {
        if (!budget.take(bytes)) {
            throw bytes > budget.max()
                    ? ApiException.unavailable("The list takes " + bytes + " bytes of memory, of which such lists may have "
                            + budget.max() + ". Give the service more: BERTH_JAVA_OPTS=-Xmx1g.")
                    : tooMany();
        }
        if (isOver(http)) {
            budget.giveBack(bytes);
        } else {
            http.addEndHandler(_ -> budget.giveBack(bytes));
        }
    }

    /** Returns whether the response has ended or the client is gone. */
    public static boolean isOver(RoutingContext http) {
        return http.response().ended() || http.response().closed();
    }

    /**
     * Runs the reading when its turn comes, on the caller's Vert.x context, and to its end even if the caller leaves.
     * Fails with 503 after a wait of 20 seconds.
     */
    public <T> Uni<T> inTurn(Supplier<Uni<T>> reading) {
        return Uni.createFrom().emitter(emitter -> Uni.createFrom()
                .completionStage(vertx.sharedData().getLocalLockWithTimeout(TURN, TURN_WAIT_MS_MAX).toCompletionStage())
                .onFailure().transform(_ -> tooMany())
                // Continues on the caller's executor, not within the end of the previous reading.
                .emitOn(CallerContext.executor())
                .chain(turn -> Uni.createFrom().<T>deferred(reading::get).onTermination().invoke(turn::release))
                .subscribe().with(emitter::complete, emitter::fail));
    }

    private static ApiException tooMany() {
        return ApiException.unavailable("Too many long lists wait for their clients to read them. Retry, or request less.");
    }
}
