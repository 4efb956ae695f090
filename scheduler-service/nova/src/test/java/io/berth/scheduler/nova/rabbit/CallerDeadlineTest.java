package io.berth.scheduler.nova.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import io.berth.scheduler.nova.message.Message;
import io.berth.scheduler.nova.message.RpcVersion;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A caller that waits for a minute without a sign of life. */
class CallerDeadlineTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final long BEGAN = Long.MAX_VALUE - 5;

    private static CallerDeadline asked(@Nullable Instant requestedAt, @Nullable Duration heartbeatWithin) {
        return new CallerDeadline(
                new Message("m", null, RpcVersion.FIRST, NullNode.instance, null,
                        heartbeatWithin, null, null, requestedAt),
                NOW, BEGAN);
    }

    private static CallerDeadline asked(long secondsAgo) {
        return asked(NOW.minusSeconds(secondsAgo), Duration.ofMinutes(1));
    }

    private static boolean isDoubtful(CallerDeadline patience, long... toldAtSeconds) {
        for (long at : toldAtSeconds) {
            patience.noteAccepted(BEGAN + TimeUnit.SECONDS.toNanos(at), BEGAN + TimeUnit.SECONDS.toNanos(at));
        }
        return patience.isDoubtful();
    }

    @Test
    void waitsForMostOfItsTimeout() {
        assertThat(isDoubtful(asked(1), 43)).isFalse();
        assertThat(isDoubtful(asked(1), 45)).isTrue();
    }

    @Test
    void eachSignOfLifeBeginsAnew() {
        assertThat(isDoubtful(asked(1), 30, 60, 100)).isFalse();
        assertThat(isDoubtful(asked(1), 30, 60, 106)).isTrue();
    }

    @Test
    void onceItIsDoubtfulItStaysSo() {
        assertThat(isDoubtful(asked(1), 50, 51, 52)).isTrue();
    }

    @Test
    void whatWaitedBeforeItCameCounts() {
        assertThat(isDoubtful(asked(40), 1)).isFalse();
        assertThat(isDoubtful(asked(46), 1)).isTrue();
    }

    @Test
    void aClockThatIsAheadGivesNobodyMoreTime() {
        assertThat(isDoubtful(asked(-3_600), 44)).isFalse();
        assertThat(isDoubtful(asked(-3_600), 46)).isTrue();
    }

    @Test
    void whatIsNotSaidIsDoubtful() {
        assertThat(isDoubtful(asked(null, Duration.ofMinutes(1)), 0)).isTrue();
        assertThat(isDoubtful(asked(Instant.MIN, Duration.ofMinutes(1)), 0)).isTrue();
        assertThat(isDoubtful(asked(Instant.MAX, Duration.ofMinutes(1)), 0)).isFalse();
        assertThat(isDoubtful(asked(NOW, null), 1)).isTrue();
    }
}
