package io.berth.identity.outgoing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the cache of the service's own token and its renewal. */
class RenewedTokenTest {
    private static final Duration LIFE = Duration.ofSeconds(100);

    private Instant now = Instant.parse("2026-11-21T08:00:00Z");
    private int fetched;
    private boolean away;
    private final RenewedToken token = new RenewedToken(this::source, () -> now);

    private Uni<IssuedToken> source() {
        return away
                ? Uni.createFrom().failure(new IllegalStateException("away"))
                : Uni.createFrom().item(new IssuedToken("t" + ++fetched, now.plus(LIFE)));
    }

    private String get() {
        return token.get().await().indefinitely();
    }

    @Test
    void renewsATokenWhenAFifthOfItsLifetimeIsLeft() {
        assertThat(get()).isEqualTo("t1");
        now = now.plusSeconds(79);
        assertThat(get()).isEqualTo("t1");
        now = now.plusSeconds(1);
        get();
        assertThat(get()).isEqualTo("t2");
        assertThat(fetched).isEqualTo(2);
    }

    @Test
    void doesNotFetchATokenForEachCallIfTheClockIsAhead() {
        var ahead = new RenewedToken(this::source, () -> now.plus(Duration.ofHours(1)));
        for (int i = 0; i < 3; i++) {
            assertThat(ahead.get().await().indefinitely()).isEqualTo("t1");
        }
    }

    @Test
    void usesTheOldTokenDuringARenewal() {
        List<UniEmitter<? super IssuedToken>> open = new ArrayList<>();
        RenewedToken hanging = new RenewedToken(() -> Uni.createFrom().<IssuedToken>emitter(open::add), () -> now);
        hanging.get().subscribe().with(first -> {});
        open.getFirst().complete(new IssuedToken("t1", now.plus(LIFE)));
        now = now.plusSeconds(99);
        List<String> got = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            hanging.get().subscribe().with(got::add);
        }
        assertThat(got).containsExactly("t1", "t1", "t1");
        assertThat(open).as("one renewal in progress").hasSize(2);
    }

    @Test
    void usesTheOldTokenUntilItsExpiryIfRenewalFails() {
        get();
        away = true;
        now = now.plusSeconds(99);
        assertThat(get()).isEqualTo("t1");
        now = now.plusSeconds(1);
        assertThatThrownBy(this::get).hasMessage("away");
        away = false;
        assertThat(get()).isEqualTo("t2");
    }

    @Test
    void fetchesAnotherAfterARefusalButNotForAnOlderToken() {
        get();
        token.forget("t0");
        assertThat(get()).isEqualTo("t1");
        token.forget("t1");
        assertThat(get()).isEqualTo("t2");
        token.forget("t1");
        assertThat(get()).isEqualTo("t2");
    }

    @Test
    void concurrentCallersShareOneFetch() {
        List<UniEmitter<? super IssuedToken>> open = new ArrayList<>();
        RenewedToken slow = new RenewedToken(() -> Uni.createFrom().<IssuedToken>emitter(open::add), () -> now);
        List<String> got = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            slow.get().subscribe().with(got::add);
        }
        assertThat(open).hasSize(1);
        open.getFirst().complete(new IssuedToken("t", now.plus(LIFE)));
        assertThat(got).hasSize(50).containsOnly("t");
    }

    @Test
    void secretsAreNotPrinted() {
        assertThat(new AuthHeader("x-auth-token", "secret").toString()).doesNotContain("secret");
        assertThat(new IssuedToken("secret", now).toString()).doesNotContain("secret");
    }
}
