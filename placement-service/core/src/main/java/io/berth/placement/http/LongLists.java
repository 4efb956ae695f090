package io.berth.placement.http;

import io.berth.context.CallerContext;
import io.berth.http.ByteBudget;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.util.function.Supplier;

/**
 * Limits the memory of long lists, which are sent in chunks ({@link LongBody}). The data that these lists are rendered
 * from stays in memory until clients have read the lists; the data of all lists together may take 1/{@value
 * #SHARE_OF_HEAP} of the heap. Long lists are read from the database one at a time ({@link #runInTurn}).
 */
@Singleton
public final class LongLists {
    /**
     * The bytes of an element of a list whose elements are in memory anyway: a reference in a heap of less than 32 GB.
     */
    public static final int REFERENCE_BYTES = 4;
    /** The most elements of a list that is rendered at once; a longer list is sent in chunks. */
    public static final int AT_ONCE_MAX = 2_000;
    /** All long lists together may take this fraction of the heap: 1/{@value}. */
    private static final int SHARE_OF_HEAP = 16;
    /** The name of the local lock for reading a long list from the database. */
    private static final String LOCK_NAME = LongLists.class.getName();
    /** The longest wait for this lock, in milliseconds; after it, the request gets 503. */
    private static final long LOCK_WAIT_MS_MAX = 20_000;

    private final ByteBudget budget = new ByteBudget(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    private final Vertx vertx;

    LongLists(Vertx vertx) {
        this.vertx = vertx;
    }

    /**
     * Reserves memory until the response is complete or the client has disconnected. Call it on the request's event
     * loop.
     *
     * @throws ApiException 503 if the budget has fewer free bytes than {@code bytes}
     */
    public void reserve(RoutingContext http, long bytes) {
        reserve(budget, http, bytes);
    }

    /** Reserves memory of {@code budget} instead, in the same way as {@link #reserve(RoutingContext, long)}. */
    public static void reserve(ByteBudget budget, RoutingContext http, long bytes) {
        if (!budget.reserve(bytes)) {
            throw bytes > budget.max()
                    ? ApiException.unavailable("The list needs " + bytes
                            + " bytes of memory, but all long lists together may take " + budget.max()
                            + " bytes. Give the service a larger heap, for example BERTH_JAVA_OPTS=-Xmx1g.")
                    : tooManyLists();
        }
        if (isResponseOver(http)) {
            budget.release(bytes);
        } else {
            http.addEndHandler(_ -> budget.release(bytes));
        }
    }

    /** Returns whether the response is complete or the client has disconnected. */
    public static boolean isResponseOver(RoutingContext http) {
        return http.response().ended() || http.response().closed();
    }

    /**
     * Runs {@code reading}, which reads a long list from the database, on the caller's Vert.x context. Only one such
     * read runs at a time in this replica; the others wait. A read that has begun runs to its end even if the client
     * disconnects. Fails with 503 after a wait of 20 seconds.
     */
    public <T> Uni<T> runInTurn(Supplier<Uni<T>> reading) {
        return Uni.createFrom().emitter(emitter -> Uni.createFrom()
                .completionStage(
                        vertx.sharedData().getLocalLockWithTimeout(LOCK_NAME, LOCK_WAIT_MS_MAX).toCompletionStage())
                .onFailure().transform(_ -> tooManyLists())
                // Continues on the caller's executor, instead of inside the release of the lock by the previous
                // reading.
                .emitOn(CallerContext.executor())
                .chain(lock -> Uni.createFrom().<T>deferred(reading::get).onTermination().invoke(lock::release))
                .subscribe().with(emitter::complete, emitter::fail));
    }

    private static ApiException tooManyLists() {
        return ApiException.unavailable(
                "Too many long lists wait for their clients to read them. Retry, or request less.");
    }
}
