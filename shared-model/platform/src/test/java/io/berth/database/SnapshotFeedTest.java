package io.berth.database;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how concurrent requests for a snapshot share reads. */
class SnapshotFeedTest {
    /** Reads that the test ends. */
    private static final class Reads implements SnapshotFeed.Source<String> {
        private final List<String> begun = new ArrayList<>();
        private final Deque<UniEmitter<? super String>> underWay = new ConcurrentLinkedDeque<>();
        private boolean failuresAreOfAll;

        private Uni<String> begin(String what) {
            return Uni.createFrom().emitter(emitter -> {
                begun.add(what);
                underWay.add(emitter);
            });
        }

        @Override
        public Uni<String> read() {
            return begin("all");
        }

        @Override
        public Uni<String> catchUp(String held) {
            return begin("since " + held);
        }

        @Override
        public boolean onReadEnd(long beganNanos, @Nullable String snapshot, @Nullable Throwable failure) {
            return failuresAreOfAll;
        }

        void end(@Nullable String snapshot) {
            underWay.remove().complete(snapshot);
        }

        void fail(Exception failure) {
            underWay.remove().fail(failure);
        }
    }

    private final Reads reads = new Reads();
    private final SnapshotFeed<String> feed = new SnapshotFeed<>(reads, null);

    private CompletableFuture<String> request() {
        return feed.fresh().subscribeAsCompletionStage();
    }

    @Test
    void requestsDuringAReadShareTheNextRead() {
        var first = request();
        var second = request();
        var third = request();
        assertThat(reads.begun).containsExactly("all");
        reads.end("1");
        assertThat(first.join()).isEqualTo("1");
        assertThat(second).isNotDone();
        assertThat(reads.begun).containsExactly("all", "since 1");
        reads.end("2");
        assertThat(second.join()).isEqualTo("2");
        assertThat(third.join()).isEqualTo("2");
        assertThat(reads.begun).hasSize(2);
        request();
        assertThat(reads.begun).containsExactly("all", "since 1", "since 2");
    }

    @Test
    void readsEverythingIfTheChangesDoNotSuffice() {
        request();
        reads.end("1");
        var waiter = request();
        reads.end(null);
        assertThat(waiter).isNotDone();
        assertThat(reads.begun).containsExactly("all", "since 1", "all");
        reads.end("2");
        assertThat(waiter.join()).isEqualTo("2");
    }

    @Test
    void keepsTheSnapshotWhileTheDatabaseIsUnreachable() {
        request();
        reads.end("1");
        var failed = request();
        var next = request();
        reads.fail(new IOException("Connection reset"));
        assertThat(failed).isCompletedExceptionally();
        reads.fail(new DatabaseUnavailable("none free in time"));
        assertThat(next).isCompletedExceptionally();
        var later = request();
        assertThat(reads.begun).containsExactly("all", "since 1", "since 1", "since 1");
        reads.end("2");
        assertThat(later.join()).isEqualTo("2");
    }

    @Test
    void readsEverythingAfterAnyOtherFailure() {
        request();
        reads.end("1");
        var failed = request();
        var next = request();
        reads.fail(new IllegalStateException("no such change"));
        assertThatThrownBy(failed::join).isInstanceOf(CompletionException.class).hasMessageContaining("no such change");
        assertThat(reads.begun).containsExactly("all", "since 1", "all");
        reads.end("2");
        assertThat(next.join()).isEqualTo("2");
    }

    @Test
    void aGeneralFailureAlsoFailsRequestsForTheNextRead() {
        reads.failuresAreOfAll = true;
        var failed = request();
        var next = request();
        reads.fail(new IOException("Connection reset"));
        assertThat(failed).isCompletedExceptionally();
        assertThat(next).isCompletedExceptionally();
        assertThat(reads.underWay).isEmpty();
        var later = request();
        reads.end("1");
        assertThat(later.join()).isEqualTo("1");
    }

    @Test
    void limitsTheNumberOfWaitingRequests() {
        request();
        var waiting = IntStream.range(0, SnapshotFeed.WAITERS_MAX).mapToObj(i -> request()).toList();
        var refused = request();
        assertThatThrownBy(refused::join).hasCauseInstanceOf(DatabaseUnavailable.class);
        reads.end("1");
        reads.end("2");
        assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isEqualTo("2"));
    }

    @Test
    void deliversOnTheCallersContext() {
        Vertx vertx = Vertx.vertx();
        try {
            var reader = vertx.getOrCreateContext();
            var elsewhere = new SnapshotFeed<>(reads, reader);
            var caller = vertx.getOrCreateContext();
            var where = new CompletableFuture<Boolean>();
            caller.runOnContext(ignored -> elsewhere.fresh().subscribe().with(
                    snapshot -> where.complete(Vertx.currentContext() == caller), where::completeExceptionally));
            eventually("a read is in flight", () -> !reads.underWay.isEmpty());
            reads.end("1");
            assertThat(where.join()).isTrue();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
