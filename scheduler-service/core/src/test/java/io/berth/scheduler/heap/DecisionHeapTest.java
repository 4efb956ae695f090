package io.berth.scheduler.heap;

import static org.assertj.core.api.Assertions.assertThat;

import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.helpers.test.UniAssertSubscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests the memory budget that concurrent decisions share. */
class DecisionHeapTest {
    /** Bytes for one instance and a thousand hosts. */
    private static final long ONE = 250_000;

    private final DecisionHeap heap = new DecisionHeap(2 * ONE, Duration.ofDays(1));

    private static UniAssertSubscriber<Boolean> takeFor(DecisionHeap.Share share, int hosts) {
        return share.acquire(() -> hosts).subscribe().withSubscriber(UniAssertSubscriber.create());
    }

    @Test
    void waitsInOrderUntilOthersReleaseMemory() {
        DecisionHeap.Share first = heap.share(1);
        DecisionHeap.Share second = heap.share(1);
        takeFor(first, 1_000).assertCompleted().assertItem(false);
        takeFor(second, 1_000).assertCompleted();
        var large = takeFor(heap.share(1), 2_000);
        var small = takeFor(heap.share(1), 1);
        first.end();
        large.assertNotTerminated();
        small.assertNotTerminated();
        second.end();
        large.assertCompleted().assertItem(true);
        small.assertNotTerminated();
        assertThat(heap.heldBytes()).isEqualTo(2 * ONE);
    }

    @Test
    void admitsARequestLargerThanTheBudgetAlone() {
        DecisionHeap.Share small = heap.share(1);
        takeFor(small, 1).assertCompleted();
        DecisionHeap.Share huge = heap.share(1);
        var waiting = takeFor(huge, 1_000_000);
        waiting.assertNotTerminated();
        small.end();
        waiting.assertCompleted();
        huge.end();
        assertThat(heap.heldBytes()).isZero();
    }

    @Test
    void sizesAWaitingRequestByTheFleetWhenItIsAdmitted() {
        AtomicInteger fleet = new AtomicInteger(Integer.MAX_VALUE);
        DecisionHeap.Share first = heap.share(1);
        first.acquire(fleet::get).subscribe().withSubscriber(UniAssertSubscriber.create()).assertCompleted();
        var second = heap.share(1).acquire(fleet::get).subscribe().withSubscriber(UniAssertSubscriber.create());
        var third = heap.share(1).acquire(fleet::get).subscribe().withSubscriber(UniAssertSubscriber.create());
        second.assertNotTerminated();
        fleet.set(800);
        first.received(600);
        second.assertCompleted();
        third.assertNotTerminated();
        assertThat(heap.heldBytes()).isEqualTo(250 * (600 + 800));
        first.end();
        third.assertCompleted();
        assertThat(heap.heldBytes()).isEqualTo(250 * 2 * 800);
    }

    @Test
    void requestThatHoldsMemoryDoesNotWaitForMore() {
        DecisionHeap.Share one = heap.share(1);
        takeFor(one, 1_000).assertCompleted();
        takeFor(heap.share(1), 1_000).assertCompleted();
        takeFor(one, 3_000).assertCompleted();
        assertThat(heap.heldBytes()).isEqualTo(4 * ONE);
        takeFor(one, 1).assertCompleted();
        assertThat(heap.heldBytes()).as("never less while the request goes on").isEqualTo(4 * ONE);
    }

    @Test
    void adjustsToTheNumberOfCandidatesReceived() {
        DecisionHeap.Share one = heap.share(10);
        takeFor(one, 2_000).assertCompleted();
        var other = takeFor(heap.share(1), 1_000);
        other.assertNotTerminated();
        one.received(10);
        other.assertCompleted();
        one.end();
        one.end();
        one.received(5_000);
        assertThat(heap.heldBytes()).isEqualTo(ONE);
    }

    /**
     * The first round, the previous and the current one are held; for two instances, alternates are ranked once more.
     */
    @Test
    void holdsThreeRoundsForSeveralInstances() {
        for (int instances : List.of(2, 3, 10)) {
            DecisionHeap.Share several = heap.share(instances);
            takeFor(several, 1_000).assertCompleted();
            assertThat(heap.heldBytes()).isEqualTo(1_000 * (150 + 3 * 100) + (instances - 1) * 5_000L);
            several.end();
        }
    }

    /** A request for pinned CPUs queries placement twice and holds the candidates of both responses. */
    @Test
    void holdsTheCandidatesOfSeveralResponses() {
        DecisionHeap.Share pinned = heap.share(1);
        takeFor(pinned, 1_000).assertCompleted();
        pinned.received(800);
        assertThat(heap.heldBytes()).isEqualTo(800 * 250);
        takeFor(pinned, 1_000).assertCompleted();
        assertThat(heap.heldBytes()).isEqualTo(1_800 * 250);
        pinned.received(0);
        assertThat(heap.heldBytes()).isEqualTo(800 * 250);
        pinned.received(100);
        assertThat(heap.heldBytes()).isEqualTo(900 * 250);
        pinned.end();
        assertThat(heap.heldBytes()).isZero();
    }

    @Test
    void restartedRequestWaitsBehindTheOthers() {
        DecisionHeap.Share one = heap.share(1);
        takeFor(one, 2_000).assertCompleted();
        one.received(1_000);
        DecisionHeap.Share other = heap.share(1);
        var waiting = takeFor(other, 2_000);
        waiting.assertNotTerminated();
        one.restart();
        waiting.assertCompleted();
        assertThat(heap.heldBytes()).isEqualTo(2 * ONE);
        var again = takeFor(one, 2_000);
        again.assertNotTerminated();
        other.end();
        again.assertCompleted().assertItem(true);
        one.received(500);
        assertThat(heap.heldBytes()).as("earlier candidates no longer count").isEqualTo(500 * 250);
        one.end();
        one.restart();
        takeFor(one, 1).assertNotTerminated();
        assertThat(heap.heldBytes()).as("no memory for a request that has ended").isZero();
    }

    @Test
    void cancelledRequestTakesNothing() {
        DecisionHeap.Share one = heap.share(1);
        takeFor(one, 2_000).assertCompleted();
        DecisionHeap.Share left = heap.share(1);
        var leaving = takeFor(left, 1_000);
        var behind = takeFor(heap.share(1), 1_000);
        leaving.cancel();
        left.end();
        one.end();
        behind.assertCompleted();
        assertThat(heap.heldBytes()).isEqualTo(ONE);
        takeFor(left, 1_000).assertNotTerminated();
        assertThat(heap.heldBytes()).as("no memory for a request that has ended").isEqualTo(ONE);
    }

    @Test
    void waitingEndsWithATimeout() {
        var impatient = new DecisionHeap(ONE, Duration.ofMillis(1));
        DecisionHeap.Share one = impatient.share(1);
        takeFor(one, 1_000).assertCompleted();
        DecisionHeap.Share other = impatient.share(1);
        takeFor(other, 1_000).awaitFailure().assertFailedWith(TimeoutException.class);
        other.end();
        one.end();
        assertThat(impatient.heldBytes()).isZero();
    }

    @Test
    void releasesAllMemoryOfConcurrentRequests() throws Exception {
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Void>> decisions = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                decisions.add(() -> {
                    var random = ThreadLocalRandom.current();
                    DecisionHeap.Share share = heap.share(1 + random.nextInt(3));
                    var waiting = takeFor(share, random.nextInt(3_000));
                    if (random.nextInt(4) > 0) {
                        waiting.awaitItem();
                        share.received(random.nextInt(3_000));
                    }
                    share.end();
                    return null;
                });
            }
            for (Future<Void> each : threads.invokeAll(decisions)) {
                each.get();
            }
        }
        assertThat(heap.heldBytes()).isZero();
    }
}
