package io.berth.identity.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.identity.memory.CredentialMemory.Finding;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CredentialMemoryTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 50);
    private final CredentialMemory<String> memory = new CredentialMemory<>(100, 8, nanos::get);

    private void learn(String credential, String value, boolean good, long nanos) {
        memory.validate(credential, asked -> Uni.createFrom().item(new Finding<>(value, good, nanos))).await()
                .indefinitely();
    }

    @Test
    void knowsNothingAtFirstAndRemembersForTheTimeStated() {
        assertThat(memory.recall("t")).isNull();
        learn("t", "joe", true, 100);
        assertThat(memory.recall("t")).isEqualTo("joe");
        assertThat(memory.recall("u")).isNull();
        nanos.addAndGet(99);
        assertThat(memory.recall("t")).isEqualTo("joe");
        nanos.addAndGet(1);
        assertThat(memory.recall("t")).isNull();
    }

    @Test
    void doesNotRememberWhatHasNoTime() {
        learn("t", "joe", true, 0);
        assertThat(memory.recall("t")).isNull();
        assertThat(memory.size()).isZero();
    }

    @Test
    void staysWithinItsBound() {
        for (int i = 0; i < 1_000; i++) {
            learn("t" + i, "v" + i, true, 1_000);
            assertThat(memory.size()).isLessThanOrEqualTo(8);
            assertThat(memory.recall("t" + i)).isEqualTo("v" + i);
        }
    }

    @Test
    void forgetsWhatHasRunOutFirst() {
        for (int i = 0; i < 4; i++) {
            learn("short" + i, "v", true, 10);
            learn("long" + i, "v", true, 1_000);
        }
        nanos.addAndGet(10);
        learn("new", "v", true, 1_000);
        assertThat(List.of("long0", "long1", "long2", "long3", "new"))
                .allSatisfy(t -> assertThat(memory.recall(t)).isEqualTo("v"));
    }

    @Test
    void guessesDoNotPushOutWhatIsGood() {
        learn("good", "joe", true, 1_000_000);
        for (int i = 0; i < 20_000; i++) {
            learn("guess" + i, "nobody", false, 1_000_000);
        }
        assertThat(memory.recall("good")).isEqualTo("joe");
        assertThat(memory.size()).isLessThanOrEqualTo(10_001);
    }

    @Test
    void laterFindingsReplaceEarlierOnes() {
        learn("t", "joe", true, 1_000);
        learn("t", "nobody", false, 1_000);
        assertThat(memory.recall("t")).isEqualTo("nobody");
        learn("t", "joe", true, 1_000);
        assertThat(memory.recall("t")).isEqualTo("joe");
    }

    @Test
    void concurrentRequestsShareOneQuestion() {
        AtomicInteger questions = new AtomicInteger();
        List<UniEmitter<? super Finding<String>>> open = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            memory.validate("t", asked -> {
                questions.incrementAndGet();
                return Uni.createFrom().<Finding<String>>emitter(open::add);
            }).subscribe().with(answers::add);
        }
        assertThat(questions).hasValue(1);
        assertThat(answers).isEmpty();
        open.getFirst().complete(new Finding<>("joe", true, 1_000));
        assertThat(answers).hasSize(100).containsOnly("joe");
    }

    @Test
    void aFailureIsSharedAndNotRemembered() {
        assertThatThrownBy(() -> memory.validate("t", asked -> Uni.createFrom().failure(new IllegalStateException("away")))
                .await().indefinitely()).hasMessage("away");
        assertThat(memory.recall("t")).isNull();
        learn("t", "joe", true, 1_000);
        assertThat(memory.recall("t")).isEqualTo("joe");
    }

    @Test
    void toldApartByEveryCharacter() {
        learn("aé", "first", true, 1_000);
        assertThat(memory.recall("aè")).isNull();
        assertThat(memory.recall("aé ")).isNull();
        assertThat(memory.recall("aé")).isEqualTo("first");
    }
}
