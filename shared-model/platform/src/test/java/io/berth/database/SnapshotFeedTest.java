package io.berth.database;

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

class SnapshotFeedTest {
    /** Reads that end when the test says so. */
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

    private CompletableFuture<String> ask() {
        return feed.fresh().subscribeAsCompletionStage();
    }

    @Test
    void whoComesDuringAReadSharesTheNext() {
        var first = ask();
        var second = ask();
        var third = ask();
        assertThat(reads.begun).containsExactly("all");
        reads.end("1");
        assertThat(first.join()).isEqualTo("1");
        assertThat(second).isNotDone();
        assertThat(reads.begun).containsExactly("all", "since 1");
        reads.end("2");
        assertThat(second.join()).isEqualTo("2");
        assertThat(third.join()).isEqualTo("2");
        assertThat(reads.begun).hasSize(2);
        ask();
        assertThat(reads.begun).containsExactly("all", "since 1", "since 2");
    }

    @Test
    void readsAllWhereChangesDoNotTell() {
        ask();
        reads.end("1");
        var asked = ask();
        reads.end(null);
        assertThat(asked).isNotDone();
        assertThat(reads.begun).containsExactly("all", "since 1", "all");
        reads.end("2");
        assertThat(asked.join()).isEqualTo("2");
    }

    @Test
    void whatIsHeldIsKeptWhileTheDatabaseIsAway() {
        ask();
        reads.end("1");
        var failed = ask();
        var next = ask();
        reads.fail(new IOException("Connection reset"));
        assertThat(failed).isCompletedExceptionally();
        reads.fail(new DatabaseUnavailable("none free in time"));
        assertThat(next).isCompletedExceptionally();
        var later = ask();
        assertThat(reads.begun).containsExactly("all", "since 1", "since 1", "since 1");
        reads.end("2");
        assertThat(later.join()).isEqualTo("2");
    }

    @Test
    void nothingHeldCountsAfterAnotherFailureAndTheNextAreTriedAgain() {
        ask();
        reads.end("1");
        var failed = ask();
        var next = ask();
        reads.fail(new IllegalStateException("no such change"));
        assertThatThrownBy(failed::join).isInstanceOf(CompletionException.class).hasMessageContaining("no such change");
        assertThat(reads.begun).containsExactly("all", "since 1", "all");
        reads.end("2");
        assertThat(next.join()).isEqualTo("2");
    }

    @Test
    void aFailureOfAllIsToldToThoseForTheNextReadToo() {
        reads.failuresAreOfAll = true;
        var failed = ask();
        var next = ask();
        reads.fail(new IOException("Connection reset"));
        assertThat(failed).isCompletedExceptionally();
        assertThat(next).isCompletedExceptionally();
        assertThat(reads.underWay).isEmpty();
        var later = ask();
        reads.end("1");
        assertThat(later.join()).isEqualTo("1");
    }

    @Test
    void noMoreWaitThanFit() {
        ask();
        var waiting = IntStream.range(0, SnapshotFeed.WAITERS_MAX).mapToObj(i -> ask()).toList();
        var refused = ask();
        assertThatThrownBy(refused::join).hasCauseInstanceOf(DatabaseUnavailable.class);
        reads.end("1");
        reads.end("2");
        assertThat(waiting).allSatisfy(each -> assertThat(each.join()).isEqualTo("2"));
    }

    @Test
    void answersWhereTheCallerIs() {
        Vertx vertx = Vertx.vertx();
        try {
            var reader = vertx.getOrCreateContext();
            var elsewhere = new SnapshotFeed<>(reads, reader);
            var asking = vertx.getOrCreateContext();
            var where = new CompletableFuture<Boolean>();
            asking.runOnContext(ignored -> elsewhere.fresh().subscribe().with(
                    snapshot -> where.complete(Vertx.currentContext() == asking), where::completeExceptionally));
            while (reads.underWay.isEmpty()) {
                Thread.onSpinWait();
            }
            reads.end("1");
            assertThat(where.join()).isTrue();
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }
}
