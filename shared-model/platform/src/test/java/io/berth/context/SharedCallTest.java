package io.berth.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SharedCallTest {
    /** The results of all calls that began. */
    private final List<CompletableFuture<String>> answers = new ArrayList<>();

    private Uni<String> kept(Duration kept) {
        return SharedCall.of(Uni.createFrom().completionStage(() -> {
            answers.add(new CompletableFuture<>());
            return answers.getLast();
        }), kept);
    }

    @Test
    void isBegunOnceHoweverLongItTakes() {
        Uni<String> shared = kept(Duration.ZERO);
        CompletableFuture<String> first = shared.subscribeAsCompletionStage();
        CompletableFuture<String> second = shared.subscribeAsCompletionStage();
        CompletableFuture<String> third = shared.subscribeAsCompletionStage();
        assertThat(answers).hasSize(1);
        answers.getFirst().complete("one");
        assertThat(List.of(first, second, third)).allSatisfy(each -> assertThat(each).isCompletedWithValue("one"));
    }

    @Test
    void isBegunAnewOnceItsEndIsOld() {
        Uni<String> shared = kept(Duration.ZERO);
        for (String answer : List.of("one", "two", "three")) {
            CompletableFuture<String> asked = shared.subscribeAsCompletionStage();
            answers.getLast().complete(answer);
            assertThat(asked).isCompletedWithValue(answer);
        }
        assertThat(answers).hasSize(3);
    }

    @Test
    void isKeptAfterItsEndWhetherOrNotItFailed() {
        Uni<String> shared = kept(Duration.ofDays(1));
        CompletableFuture<String> first = shared.subscribeAsCompletionStage();
        answers.getLast().completeExceptionally(new IllegalStateException("lost"));
        assertThat(first).isCompletedExceptionally();
        assertThat(shared.subscribeAsCompletionStage()).isCompletedExceptionally();
        assertThat(answers).hasSize(1);
    }

    @Test
    void goesOnThoughWhoAskedLeaves() {
        Uni<String> shared = kept(Duration.ZERO);
        shared.subscribe().with(ignored -> {}).cancel();
        CompletableFuture<String> second = shared.subscribeAsCompletionStage();
        answers.getFirst().complete("one");
        assertThat(second).isCompletedWithValue("one");
        assertThat(answers).hasSize(1);
    }
}
