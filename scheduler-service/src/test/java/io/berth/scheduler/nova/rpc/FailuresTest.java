package io.berth.scheduler.nova.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FailuresTest {
    private final ApiFault away = new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer");

    @Test
    void tellsOfTheLastAttemptWhenTimeIsOver() {
        Throwable failure = catchThrowable(() -> Uni.createFrom().<String>failure(away)
                .onFailure(Failures::isPassing).retry().withBackOff(Duration.ofMillis(1)).expireIn(20)
                .onFailure().transform(Failures::last)
                .await().indefinitely());
        assertThat(failure).isSameAs(away);
        assertThat(Failures.of(failure).failure().toString()).contains("NoValidHost");
    }

    @Test
    void leavesOtherFailuresAsTheyAre() {
        var defect = new IllegalStateException("a bug", new IllegalArgumentException("of ours"));
        assertThat(Failures.last(defect)).isSameAs(defect);
        assertThat(Failures.last(away)).isSameAs(away);
    }
}
