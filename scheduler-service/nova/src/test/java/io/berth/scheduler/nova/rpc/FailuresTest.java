package io.berth.scheduler.nova.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.selection.SelectionOutcome;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the failures that nova receives. */
class FailuresTest {
    private final ApiFault away = new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, "placement is unavailable");

    @Test
    void reportsTheLastAttemptOnTimeout() {
        Throwable failure = catchThrowable(() -> Uni.createFrom().<String>failure(away)
                .onFailure(Failures::isRetryable).retry().withBackOff(Duration.ofMillis(1)).expireIn(20)
                .onFailure().transform(Failures::lastFailure)
                .await().indefinitely());
        assertThat(failure).isSameAs(away);
        assertThat(Failures.of(failure).failure().toString()).contains("NoValidHost");
    }

    private static String messageOf(SelectionOutcome.Failure failure, ErrorCode code, String detail) {
        return Failures.of(failure, new ApiFault(code, detail), "instance").failure().message();
    }

    /** The owner of the instance reads the message, so it must not contain details of hosts. */
    @Test
    void revealsNoMoreThanNova() {
        String cut = "None of 2 hosts will do: host-1 lacks 4; placement's answer was cut at 2 candidates";
        assertThat(messageOf(new SelectionOutcome.Failed(ErrorCode.NO_VALID_HOST, cut, null, null),
                ErrorCode.NO_VALID_HOST,
                cut))
                .isEqualTo("No valid host was found. There are not enough hosts available.");
        String away = "placement is unavailable: http://10.0.0.1:8778";
        assertThat(messageOf(
                new SelectionOutcome.Failed(ErrorCode.PLACEMENT_UNAVAILABLE, away, away, null),
                ErrorCode.PLACEMENT_UNAVAILABLE, away)).isEqualTo("No valid host was found. ");
        assertThat(Failures.of(new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, away)))
                .hasMessage(away)
                .extracting(fault -> fault.failure().message()).isEqualTo("No valid host was found. ");
    }

    @Test
    void leavesOtherFailuresAsTheyAre() {
        var defect = new IllegalStateException("a bug", new IllegalArgumentException("of ours"));
        assertThat(Failures.lastFailure(defect)).isSameAs(defect);
        assertThat(Failures.lastFailure(away)).isSameAs(away);
    }
}
