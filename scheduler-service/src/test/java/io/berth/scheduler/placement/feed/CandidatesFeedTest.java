package io.berth.scheduler.placement.feed;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.CandidatesAnswer;
import io.berth.scheduler.placement.RootCandidates;
import io.berth.scheduler.placement.feed.CandidatesFeed.Told;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who waits for which exchange, and what is held. Placement answers when the test says so. */
class CandidatesFeedTest {
    private record Asked(String query, HeldCandidates held, String requestId, UniEmitter<? super Told> emitter) {
        void answer(String token, int roots) {
            var candidates = candidates(roots);
            emitter.complete(new Told(new CandidatesAnswer.Found(candidates), new HeldCandidates(token, candidates)));
        }

        void fail() {
            emitter.complete(new Told(new CandidatesAnswer.Unreachable("cable cut"), held));
        }
    }

    private final List<Asked> asked = new ArrayList<>();
    private final AtomicLong moments = new AtomicLong();
    private final List<String> answered = new ArrayList<>();
    private final CandidatesFeed feed = new CandidatesFeed((query, held, requestId) ->
                    Uni.createFrom().emitter(emitter -> asked.add(new Asked(query, held, requestId, emitter))),
            moments::incrementAndGet);

    private static AllocationCandidates candidates(int roots) {
        return new AllocationCandidates(IntStream.range(0, roots)
                .mapToObj(root -> new RootCandidates("root" + root, List.of(),
                        List.of(new AllocationRequest(Map.of("root" + root, Map.of("VCPU", 1L)), Map.of()))))
                .toList());
    }

    private void ask(String query, String requestId) {
        feed.ask(query, requestId).subscribe().with(dated -> answered.add(requestId + " " + switch (dated.answer()) {
            case CandidatesAnswer.Found(AllocationCandidates found) -> found.roots().size();
            case CandidatesAnswer.Refused(int status, String detail) -> status + detail;
            case CandidatesAnswer.Unreachable(String why) -> why;
        }));
    }

    @Test
    void callersThatComeWhileAnExchangeIsUnderWayShareTheNext() {
        ask("q", "r1");
        ask("q", "r2");
        ask("q", "r3");
        assertThat(asked).hasSize(1);
        asked.get(0).answer("t1", 1);
        assertThat(answered).containsExactly("r1 1");
        assertThat(asked).hasSize(2);
        assertThat(asked.get(1).requestId()).isEqualTo("r2");
        asked.get(1).answer("t2", 2);
        assertThat(answered).containsExactly("r1 1", "r2 2", "r3 2");
        assertThat(asked).hasSize(2);
    }

    @Test
    void queriesDoNotWaitForEachOther() {
        ask("q", "r1");
        ask("p", "r2");
        asked.get(1).answer("t", 1);
        assertThat(answered).containsExactly("r2 1");
    }

    @Test
    void asksForWhatChangedSinceTheAnswerHeld() {
        ask("q", "r1");
        assertThat(asked.get(0).held()).isNull();
        asked.get(0).answer("t1", 1);
        ask("q", "r2");
        assertThat(asked.get(1).held()).isEqualTo(new HeldCandidates("t1", candidates(1)));
    }

    @Test
    void keepsWhatItHoldsThroughALostAnswer() {
        ask("q", "r1");
        asked.get(0).answer("t1", 1);
        ask("q", "r2");
        asked.get(1).fail();
        ask("q", "r3");
        assertThat(asked.get(2).held().token()).isEqualTo("t1");
        assertThat(answered).containsExactly("r1 1", "r2 cable cut");
    }

    @Test
    void forgetsTheQueryNotAskedForTheLongest() {
        for (int i = 0; i < CandidatesFeed.QUERIES_MAX + 1; i++) {
            ask("q" + i, "r");
            asked.getLast().answer("t", 2);
        }
        assertThat(feed.queriesHeld()).isEqualTo(CandidatesFeed.QUERIES_MAX);
        assertThat(feed.rootsHeld()).isEqualTo(2L * CandidatesFeed.QUERIES_MAX);
        ask("q1", "r");
        assertThat(asked.getLast().held()).isNotNull();
        ask("q0", "r");
        assertThat(asked.getLast().held()).isNull();
    }

    @Test
    void answersWhatIsTooLargeToHoldAndDoesNotHoldIt() {
        ask("small", "r1");
        asked.get(0).answer("t", 1);
        ask("large", "r2");
        asked.get(1).answer("t", CandidatesFeed.ROOTS_MAX + 1);
        assertThat(answered).containsExactly("r1 1", "r2 " + (CandidatesFeed.ROOTS_MAX + 1));
        assertThat(feed.rootsHeld()).isZero();
        ask("large", "r3");
        assertThat(asked.get(2).held()).isNull();
    }

    @Test
    void aForgottenQueryStillAnswersThoseWhoWait() {
        ask("q", "r1");
        ask("q", "r2");
        for (int i = 0; i < CandidatesFeed.QUERIES_MAX; i++) {
            ask("other" + i, "r");
        }
        asked.get(0).answer("t", 3);
        asked.getLast().answer("t", 4);
        assertThat(answered).containsExactly("r1 3", "r2 4");
        assertThat(feed.rootsHeld()).isZero();
    }
}
