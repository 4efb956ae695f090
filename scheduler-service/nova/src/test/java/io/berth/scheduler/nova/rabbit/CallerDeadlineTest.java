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

/** Tests when it is doubtful whether a caller still waits, for callers that wait for a minute without a heartbeat. */
class CallerDeadlineTest {
    private static final Instant NOW = Instant.parse("2026-11-22T10:00:00Z");
    private static final long BEGAN = Long.MAX_VALUE - 5;

    private static CallerDeadline deadlineOf(@Nullable Instant requestedAt, @Nullable Duration heartbeatWithin) {
        return new CallerDeadline(
                new Message("m", null, RpcVersion.FIRST, NullNode.instance, null,
                        heartbeatWithin, null, null, requestedAt),
                NOW, BEGAN);
    }

    private static CallerDeadline deadlineOf(long secondsAgo) {
        return deadlineOf(NOW.minusSeconds(secondsAgo), Duration.ofMinutes(1));
    }

    private static boolean isDoubtful(CallerDeadline deadline, long... acceptedAtSeconds) {
        for (long at : acceptedAtSeconds) {
            deadline.noteAccepted(BEGAN + TimeUnit.SECONDS.toNanos(at), BEGAN + TimeUnit.SECONDS.toNanos(at));
        }
        return deadline.isDoubtful();
    }

    @Test
    void isDoubtfulAfterMostOfTheTimeout() {
        assertThat(isDoubtful(deadlineOf(1), 43)).isFalse();
        assertThat(isDoubtful(deadlineOf(1), 45)).isTrue();
    }

    @Test
    void eachHeartbeatRestartsTheTimeout() {
        assertThat(isDoubtful(deadlineOf(1), 30, 60, 100)).isFalse();
        assertThat(isDoubtful(deadlineOf(1), 30, 60, 106)).isTrue();
    }

    @Test
    void staysDoubtful() {
        assertThat(isDoubtful(deadlineOf(1), 50, 51, 52)).isTrue();
    }

    @Test
    void countsTheTimeBeforeTheMessageArrived() {
        assertThat(isDoubtful(deadlineOf(40), 1)).isFalse();
        assertThat(isDoubtful(deadlineOf(46), 1)).isTrue();
    }

    @Test
    void ignoresACallersClockThatIsAhead() {
        assertThat(isDoubtful(deadlineOf(-3_600), 44)).isFalse();
        assertThat(isDoubtful(deadlineOf(-3_600), 46)).isTrue();
    }

    @Test
    void isDoubtfulIfRequestTimeOrHeartbeatIsMissing() {
        assertThat(isDoubtful(deadlineOf(null, Duration.ofMinutes(1)), 0)).isTrue();
        assertThat(isDoubtful(deadlineOf(Instant.MIN, Duration.ofMinutes(1)), 0)).isTrue();
        assertThat(isDoubtful(deadlineOf(Instant.MAX, Duration.ofMinutes(1)), 0)).isFalse();
        assertThat(isDoubtful(deadlineOf(NOW, null), 1)).isTrue();
    }
}
