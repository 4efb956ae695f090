package io.berth.scheduler.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.database.DatabaseUnavailable;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests how concurrent callers share a batch, and which of them fail if a write fails. */
class BatchesTest {
    private static final Duration WRITE_MAX = Duration.ofMillis(100);

    /** Batches in the order in which they were written, including failed ones. */
    private final List<List<String>> written = new CopyOnWriteArrayList<>();

    private static PgException notGranted() {
        return new PgException("canceling statement due to lock timeout", "ERROR", "55P03", null);
    }

    private static Uni<Function<String, String>> done() {
        return Uni.createFrom().item(items -> items + "!");
    }

    /**
     * Returns the results of callers that arrive while an earlier write is in progress, and so share a batch.
     *
     * @param write writes all batches but the first
     */
    private List<CompletableFuture<String>> together(
            List<String> callers, Function<List<String>, Uni<Function<String, String>>> write) {
        CompletableFuture<Function<String, String>> first = new CompletableFuture<>();
        Batches<String, String> batches = new Batches<>(64, WRITE_MAX, List::of, items -> {
            written.add(items);
            return written.size() == 1 ? Uni.createFrom().completionStage(first) : write.apply(items);
        });
        batches.add("before").subscribe().with(_ -> {});
        List<CompletableFuture<String>> answers = new ArrayList<>();
        callers.forEach(caller -> answers.add(batches.add(caller).subscribeAsCompletionStage()));
        first.complete(items -> items + "!");
        return answers;
    }

    private static void assertFails(CompletableFuture<String> answer, Class<? extends Throwable> cause) {
        assertThatThrownBy(answer::join).isInstanceOf(CompletionException.class).hasCauseInstanceOf(cause);
    }

    @Test
    void writesCallersThatArriveMeanwhileTogether() {
        List<CompletableFuture<String>> answers = together(List.of("a", "b", "c"), items -> done());
        assertThat(answers).extracting(CompletableFuture::join).containsExactly("a!", "b!", "c!");
        assertThat(written).containsExactly(List.of("before"), List.of("a", "b", "c"));
    }

    @Test
    void onlyCallersThatNeedALockedRowFail() {
        for (String stuck : List.of("a", "b", "c", "d")) {
            written.clear();
            List<CompletableFuture<String>> answers = together(
                    List.of("a", "b", "c", "d"),
                    items -> items.contains(stuck) ? Uni.createFrom().nothing() : done());
            IntStream.range(0, 4).forEach(i -> {
                String caller = List.of("a", "b", "c", "d").get(i);
                if (caller.equals(stuck)) {
                    assertFails(answers.get(i), TimeoutException.class);
                } else {
                    assertThat(answers.get(i).join()).isEqualTo(caller + "!");
                }
            });
        }
    }

    @Test
    void retriesEachCallerIfTheConnectionEnds() {
        List<CompletableFuture<String>> answers = together(List.of("a", "b", "c"), items -> items.size() > 1
                ? Uni.createFrom().failure(new DatabaseUnavailable("ended by the server"))
                : done());
        assertThat(answers).extracting(CompletableFuture::join).containsExactly("a!", "b!", "c!");
    }

    @Test
    void triesAtMostTwoCallersAloneIfTheDatabaseIsUnavailable() {
        for (RuntimeException failure : List.of(
                new DatabaseUnavailable("away"),
                notGranted(),
                new PgException("canceling statement due to statement timeout", "ERROR", "57014", null))) {
            written.clear();
            List<CompletableFuture<String>> answers = together(
                    IntStream.range(0, 50).mapToObj(Integer::toString).toList(),
                    items -> Uni.createFrom().failure(failure));
            answers.forEach(answer -> assertFails(answer, failure.getClass()));
            assertThat(written).hasSize(1 + 1 + 2);
        }
    }

    @Test
    void failsOnlyTheCallerThatCannotBeWritten() {
        List<CompletableFuture<String>> answers = together(List.of("a", "b", "c"), items -> items.contains("a")
                ? Uni.createFrom().failure(new IllegalStateException("no"))
                : done());
        assertFails(answers.getFirst(), IllegalStateException.class);
        assertThat(answers.subList(1, 3)).extracting(CompletableFuture::join).containsExactly("b!", "c!");
    }

    /**
     * Writes callers one per batch, two batches at a time. The first letter of a caller is its key; its write completes
     * when {@link #end} is called.
     */
    private final class TwoLanes {
        private final Map<String, CompletableFuture<Function<String, String>>> underWay = new ConcurrentHashMap<>();
        private final Batches<String, String> batches = new Batches<>(
                1, 2, Duration.ofDays(1), caller -> List.of(caller.charAt(0)), items -> {
                    written.add(items);
                    return Uni.createFrom().completionStage(
                            underWay.computeIfAbsent(items.getFirst(), made -> new CompletableFuture<>()));
                });
        private final Map<String, CompletableFuture<String>> answers = new HashMap<>();

        TwoLanes(String... callers) {
            for (String caller : callers) {
                answers.put(caller, batches.add(caller).subscribeAsCompletionStage());
            }
        }

        void begun(String... callers) {
            assertThat(written).containsExactlyElementsOf(Stream.of(callers).map(List::of).toList());
        }

        void end(String caller) {
            underWay.get(caller).complete(items -> items + "!");
            assertThat(answers.get(caller).join()).isEqualTo(caller + "!");
        }
    }

    @Test
    void runsTwoAtOnceButNeverTwoWithTheSameKey() {
        TwoLanes lanes = new TwoLanes("a1", "a2", "b1", "a3", "c1", "d1");
        lanes.begun("a1", "b1");
        lanes.end("b1");
        lanes.begun("a1", "b1", "c1");
        lanes.end("a1");
        lanes.begun("a1", "b1", "c1", "a2");
        lanes.end("c1");
        lanes.end("a2");
        lanes.begun("a1", "b1", "c1", "a2", "d1", "a3");
    }

    @Test
    void usesAFreeLaneWhenACallerWithAnotherKeyArrives() {
        TwoLanes lanes = new TwoLanes("a1", "b1", "a2", "a3");
        lanes.end("b1");
        lanes.begun("a1", "b1");
        lanes.answers.put("c1", lanes.batches.add("c1").subscribeAsCompletionStage());
        lanes.begun("a1", "b1", "c1");
        lanes.end("a1");
        lanes.begun("a1", "b1", "c1", "a2");
    }

    @Test
    void callersWithTheSameKeysFailTogetherIfTheLockIsRefused() {
        TwoLanes lanes = new TwoLanes("a1", "a2", "b1", "a3", "c1");
        lanes.underWay.get("a1").completeExceptionally(notGranted());
        List.of("a1", "a2", "a3").forEach(caller -> assertFails(lanes.answers.get(caller), PgException.class));
        lanes.begun("a1", "b1", "c1");
        lanes.end("b1");
        lanes.end("c1");
    }

    @Test
    void writesCallersThatNeedOnlySomeKeysOfARefusedLock() {
        CompletableFuture<Function<List<String>, String>> first = new CompletableFuture<>();
        Batches<List<String>, String> batches =
                new Batches<>(1, WRITE_MAX, keys -> keys, items -> items.getFirst().contains("b")
                        ? Uni.createFrom().completionStage(first)
                        : Uni.createFrom().item(keys -> keys + "!"));
        CompletableFuture<String> locked = batches.add(List.of("a", "b")).subscribeAsCompletionStage();
        CompletableFuture<String> same = batches.add(List.of("b", "a")).subscribeAsCompletionStage();
        CompletableFuture<String> more = batches.add(List.of("a", "b", "c")).subscribeAsCompletionStage();
        CompletableFuture<String> less = batches.add(List.of("a")).subscribeAsCompletionStage();
        first.completeExceptionally(notGranted());
        List.of(locked, same, more).forEach(each -> assertFails(each, PgException.class));
        assertThat(less.join()).isEqualTo("[a]!");
    }

    @Test
    void failsManyCallersWithoutRecursion() {
        CompletableFuture<Function<String, String>> first = new CompletableFuture<>();
        Batches<String, String> batches = new Batches<>(1, WRITE_MAX, List::of, items -> items.contains("first")
                ? Uni.createFrom().completionStage(first)
                : Uni.createFrom().failure(new IllegalStateException("no")));
        batches.add("first").subscribe().with(_ -> {});
        List<CompletableFuture<String>> answers = IntStream.range(0, 20_000)
                .mapToObj(i -> batches.add("" + i).subscribeAsCompletionStage())
                .toList();
        first.complete(items -> items);
        answers.forEach(answer -> assertFails(answer, IllegalStateException.class));
    }
}
