package io.berth.deploy.load.situation;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.load.http.Answer;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Traffic;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SharedSituationTest {
    private static final Answer ANSWER = new Answer(200, 0, null, null);

    private static Traffic of(String kind) {
        return () -> Exchange.get(kind, "/", _ -> Outcome.GOOD);
    }

    @Test
    void halfOfTheConnectionsAskForEachHoweverFastTheyAreAnswered() {
        var halves = new SharedSituation.Halves(of("slow"), of("fast"));
        assertThat(IntStream.range(0, 8).mapToObj(_ -> halves.next().kind()))
                .containsExactly("slow", "fast", "slow", "fast", "slow", "fast", "slow", "fast");
        var fast = new SharedSituation.Halves(of("slow"), of("fast"));
        Exchange slow = fast.next();
        Exchange again = fast.next();
        for (int i = 0; i < 5; i++) {
            assertThat(again.judge().apply(ANSWER)).isEqualTo(Outcome.GOOD);
            again = fast.next();
            assertThat(again.kind()).isEqualTo("fast");
        }
        assertThat(slow.judge().apply(ANSWER)).isEqualTo(Outcome.GOOD);
        assertThat(fast.next().kind()).isEqualTo("slow");
    }

    @Test
    void endsWithEither() {
        var halves = new SharedSituation.Halves(of("some"), () -> null);
        assertThat(halves.next()).isNotNull();
        assertThat(halves.next()).isNull();
    }
}
