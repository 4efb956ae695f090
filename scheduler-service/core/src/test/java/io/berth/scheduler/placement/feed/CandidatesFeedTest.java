package io.berth.scheduler.placement.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.CandidatesResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.placement.candidate.RootCandidates;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests which callers share which exchange with placement. An exchange ends when the test completes it. */
class CandidatesFeedTest {
    private record Exchange(String query, String requestId, UniEmitter<? super CandidatesResult> emitter) {
        void answer(int roots) {
            emitter.complete(new CandidatesResult.Found(candidates(roots)));
        }

        void fail() {
            emitter.complete(new CandidatesResult.Unreachable("cable cut"));
        }
    }

    private final List<Exchange> exchanges = new ArrayList<>();
    private final AtomicLong moments = new AtomicLong();
    private final List<String> results = new ArrayList<>();
    private final CandidatesFeed feed = new CandidatesFeed(
            (query, requestId) -> Uni.createFrom()
                    .emitter(emitter -> exchanges.add(new Exchange(query, requestId, emitter))),
            moments::incrementAndGet);

    private static AllocationCandidates candidates(int roots) {
        return new AllocationCandidates(IntStream.range(0, roots)
                .mapToObj(root -> new RootCandidates("root" + root, List.of(),
                        List.of(new AllocationRequest(Map.of("root" + root, Map.of("VCPU", 1L)), Map.of()))))
                .toList());
    }

    private void ask(String query, String requestId) {
        feed.ask(query, requestId).subscribe().with(dated -> results.add(requestId + " " + switch (dated.answer()) {
            case CandidatesResult.Found(AllocationCandidates found) -> found.treeCount();
            case CandidatesResult.Refused(int status, String detail) -> status + detail;
            case CandidatesResult.Unreachable(String why) -> why;
        }));
    }

    @Test
    void callersDuringAnExchangeShareTheNextOne() {
        ask("q", "r1");
        ask("q", "r2");
        ask("q", "r3");
        assertThat(exchanges).hasSize(1);
        exchanges.get(0).answer(1);
        assertThat(results).containsExactly("r1 1");
        assertThat(exchanges).hasSize(2);
        assertThat(exchanges.get(1).requestId()).isEqualTo("r2");
        exchanges.get(1).answer(2);
        assertThat(results).containsExactly("r1 1", "r2 2", "r3 2");
        assertThat(exchanges).hasSize(2);
    }

    @Test
    void queriesDoNotWaitForEachOther() {
        ask("q", "r1");
        ask("p", "r2");
        exchanges.get(1).answer(1);
        assertThat(results).containsExactly("r2 1");
    }

    @Test
    void failedExchangeFailsOnlyItsOwnCallers() {
        ask("q", "r1");
        ask("q", "r2");
        exchanges.get(0).fail();
        exchanges.get(1).answer(3);
        assertThat(results).containsExactly("r1 cable cut", "r2 3");
    }

    @Test
    void keepsNothingOfAQueryWithoutCallers() {
        for (int i = 0; i < 1_000; i++) {
            ask("q" + i, "r");
            exchanges.getLast().answer(2);
        }
        assertThat(feed.exchangesInFlight()).isZero();
        ask("q1", "r");
        assertThat(feed.exchangesInFlight()).isEqualTo(1);
    }
}
