package io.berth.placement.candidate.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeldAnswerCacheTest {
    private static HeldAnswer answer(String token, int trees) {
        HeldTree[] all = new HeldTree[trees];
        for (int i = 0; i < trees; i++) {
            all[i] = new HeldTree(new UUID(1, i), i, new long[2]);
        }
        return new HeldAnswer(token, "q", 0, all);
    }

    @Test
    void knowsAnAnswerByItsTokenAndItsQuery() {
        var answers = new HeldAnswerCache(1_000_000);
        var held = answer(answers.newToken(), 1);
        answers.remember(held);
        assertThat(answers.find(held.token(), "q")).isSameAs(held);
        assertThat(answers.find(held.token(), "another")).isNull();
        assertThat(answers.find("never given", "q")).isNull();
        assertThat(answers.find(null, "q")).isNull();
    }

    @Test
    void givesNoTokenOfAnotherProcess() {
        assertThat(new HeldAnswerCache(1).newToken()).isNotEqualTo(new HeldAnswerCache(1).newToken());
    }

    @Test
    void forgetsFirstWhatWasNotAskedForTheLongest() {
        var answers = new HeldAnswerCache(3 * answer("a", 10).bytes());
        answers.remember(answer("a", 10));
        answers.remember(answer("b", 10));
        answers.remember(answer("c", 10));
        assertThat(answers.find("a", "q")).isNotNull();
        answers.remember(answer("d", 10));
        assertThat(answers.find("b", "q")).isNull();
        assertThat(answers.find("a", "q")).isNotNull();
        assertThat(answers.size()).isEqualTo(3);
    }

    @Test
    void neverHoldsMoreThanItsNumberNorAnAnswerAboveItsBytes() {
        var answers = new HeldAnswerCache(1_000_000_000);
        for (int i = 0; i < HeldAnswerCache.ANSWERS_MAX + 50; i++) {
            answers.remember(answer("t" + i, 1));
            answers.remember(answer("t" + i, 2));
        }
        assertThat(answers.size()).isEqualTo(HeldAnswerCache.ANSWERS_MAX);
        var small = new HeldAnswerCache(100);
        small.remember(answer("large", 100));
        assertThat(small.size()).isZero();
    }
}
