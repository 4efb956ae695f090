package io.berth.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests the sharing of one call among concurrent subscribers. */
class SharedCallTest {
    /** The results of all calls that began. */
    private final List<CompletableFuture<String>> answers = new ArrayList<>();

    private Uni<String> sharedFor(Duration sharedFor) {
        return SharedCall.of(Uni.createFrom().completionStage(() -> {
            answers.add(new CompletableFuture<>());
            return answers.getLast();
        }), sharedFor);
    }

    @Test
    void startsOnceHoweverLongItTakes() {
        Uni<String> shared = sharedFor(Duration.ZERO);
        CompletableFuture<String> first = shared.subscribeAsCompletionStage();
        CompletableFuture<String> second = shared.subscribeAsCompletionStage();
        CompletableFuture<String> third = shared.subscribeAsCompletionStage();
        assertThat(answers).hasSize(1);
        answers.getFirst().complete("one");
        assertThat(List.of(first, second, third)).allSatisfy(each -> assertThat(each).isCompletedWithValue("one"));
    }

    @Test
    void startsAgainOnceTheResultHasExpired() {
        Uni<String> shared = sharedFor(Duration.ZERO);
        for (String answer : List.of("one", "two", "three")) {
            CompletableFuture<String> call = shared.subscribeAsCompletionStage();
            answers.getLast().complete(answer);
            assertThat(call).isCompletedWithValue(answer);
        }
        assertThat(answers).hasSize(3);
    }

    @Test
    void keepsResultsAndFailures() {
        Uni<String> shared = sharedFor(Duration.ofDays(1));
        CompletableFuture<String> first = shared.subscribeAsCompletionStage();
        answers.getLast().completeExceptionally(new IllegalStateException("lost"));
        assertThat(first).isCompletedExceptionally();
        assertThat(shared.subscribeAsCompletionStage()).isCompletedExceptionally();
        assertThat(answers).hasSize(1);
    }

    @Test
    void continuesIfTheFirstSubscriberCancels() {
        Uni<String> shared = sharedFor(Duration.ZERO);
        shared.subscribe().with(ignored -> {}).cancel();
        CompletableFuture<String> second = shared.subscribeAsCompletionStage();
        answers.getFirst().complete("one");
        assertThat(second).isCompletedWithValue("one");
        assertThat(answers).hasSize(1);
    }
}
