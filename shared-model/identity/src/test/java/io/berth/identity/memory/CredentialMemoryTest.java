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

/** Tests the cache of validated credentials. */
class CredentialMemoryTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 50);
    private final CredentialMemory<String> memory = new CredentialMemory<>(100, 8, nanos::get);

    private void learn(String credential, String value, boolean good, long nanos) {
        memory.validate(credential, _ -> Uni.createFrom().item(new Finding<>(value, good, nanos))).await()
                .indefinitely();
    }

    @Test
    void cachesACredentialForTheGivenTime() {
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
    void doesNotCacheWithoutALifetime() {
        learn("t", "joe", true, 0);
        assertThat(memory.recall("t")).isNull();
        assertThat(memory.size()).isZero();
    }

    @Test
    void staysWithinItsMaximumSize() {
        for (int i = 0; i < 1_000; i++) {
            learn("t" + i, "v" + i, true, 1_000);
            assertThat(memory.size()).isLessThanOrEqualTo(8);
            assertThat(memory.recall("t" + i)).isEqualTo("v" + i);
        }
    }

    @Test
    void evictsExpiredCredentialsFirst() {
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
    void guessesDoNotEvictValidCredentials() {
        learn("good", "joe", true, 1_000_000);
        for (int i = 0; i < 20_000; i++) {
            learn("guess" + i, "nobody", false, 1_000_000);
        }
        assertThat(memory.recall("good")).isEqualTo("joe");
        assertThat(memory.size()).isLessThanOrEqualTo(10_001);
    }

    @Test
    void laterResultsReplaceEarlierOnes() {
        learn("t", "joe", true, 1_000);
        learn("t", "nobody", false, 1_000);
        assertThat(memory.recall("t")).isEqualTo("nobody");
        learn("t", "joe", true, 1_000);
        assertThat(memory.recall("t")).isEqualTo("joe");
    }

    @Test
    void concurrentRequestsShareOneValidation() {
        AtomicInteger validations = new AtomicInteger();
        List<UniEmitter<? super Finding<String>>> open = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            memory.validate("t", _ -> {
                validations.incrementAndGet();
                return Uni.createFrom().<Finding<String>>emitter(open::add);
            }).subscribe().with(answers::add);
        }
        assertThat(validations).hasValue(1);
        assertThat(answers).isEmpty();
        open.getFirst().complete(new Finding<>("joe", true, 1_000));
        assertThat(answers).hasSize(100).containsOnly("joe");
    }

    @Test
    void sharesAFailureAndDoesNotCacheIt() {
        assertThatThrownBy(() -> memory.validate("t", _ -> Uni.createFrom().failure(new IllegalStateException("away")))
                .await().indefinitely()).hasMessage("away");
        assertThat(memory.recall("t")).isNull();
        learn("t", "joe", true, 1_000);
        assertThat(memory.recall("t")).isEqualTo("joe");
    }

    @Test
    void distinguishesCredentialsByEveryCharacter() {
        learn("aé", "first", true, 1_000);
        assertThat(memory.recall("aè")).isNull();
        assertThat(memory.recall("aé ")).isNull();
        assertThat(memory.recall("aé")).isEqualTo("first");
    }
}
