package io.berth.scheduler.placement.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.subscription.Cancellable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the queue of requests that wait for their turn to decide. */
class AdmissionQueueTest {
    private final List<Runnable> timers = new ArrayList<>();
    private final List<String> begun = new ArrayList<>();
    private final AdmissionQueue turns = new AdmissionQueue(2, (ms, task) -> {
        assertThat(ms).isEqualTo(AdmissionQueue.TURN_MS);
        timers.add(task);
        return () -> timers.remove(task);
    });

    private void take(String requestId) {
        turns.awaitTurn(requestId).subscribe().with(ignored -> begun.add(requestId));
    }

    @Test
    void beginsALimitedNumberAtATimeInOrder() {
        for (String request : List.of("a", "b", "c", "d")) {
            take(request);
        }
        assertThat(begun).containsExactly("a", "b");
        turns.end("b");
        assertThat(begun).containsExactly("a", "b", "c");
        turns.end("a");
        assertThat(begun).containsExactly("a", "b", "c", "d");
    }

    @Test
    void turnEndsByTimeout() {
        take("a");
        take("b");
        take("c");
        Runnable endOfA = timers.get(0);
        endOfA.run();
        assertThat(begun).containsExactly("a", "b", "c");
        endOfA.run();
        take("d");
        assertThat(begun).hasSize(3);
    }

    @Test
    void timeoutsOfTurnsDoNotAddUp() {
        for (String request : List.of("a", "b", "c", "d", "e", "f")) {
            take(request);
        }
        assertThat(begun).containsExactly("a", "b");
        // No request ends its turn before the timeout.
        List.copyOf(timers).forEach(Runnable::run);
        assertThat(begun).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f");
    }

    @Test
    void forgetsCancelledRequests() {
        take("a");
        take("b");
        List<Cancellable> leaving = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            String request = "leaves" + i;
            leaving.add(turns.awaitTurn(request).subscribe().with(ignored -> begun.add(request)));
        }
        take("next");
        leaving.forEach(Cancellable::cancel);
        turns.end("a");
        assertThat(begun).containsExactly("a", "b", "next");
        turns.end("b");
        turns.end("next");
        assertThat(timers).isEmpty();
    }

    @Test
    void noTimerOutlivesATurn() {
        for (String request : List.of("a", "b", "c")) {
            take(request);
        }
        assertThat(timers).hasSize(3);
        for (String request : List.of("a", "b", "c")) {
            turns.end(request);
        }
        assertThat(timers).isEmpty();
    }

    @Test
    void requestWithATurnDoesNotWaitAgain() {
        take("a");
        take("b");
        take("a");
        assertThat(begun).containsExactly("a", "b", "a");
    }

    @Test
    void endingAWaitingOrUnknownRequestChangesNothing() {
        take("a");
        take("b");
        take("c");
        turns.end("c");
        turns.end("nobody");
        assertThat(begun).containsExactly("a", "b");
        turns.end("a");
        turns.end("a");
        assertThat(begun).containsExactly("a", "b", "c");
    }

    @Test
    void beginsAtOnceIfTheQueueIsFull() {
        for (int i = 0; i < AdmissionQueue.WAITING_MAX + 2; i++) {
            take("r" + i);
        }
        assertThat(begun).hasSize(2);
        take("late");
        assertThat(begun).containsExactly("r0", "r1", "late");
    }
}
