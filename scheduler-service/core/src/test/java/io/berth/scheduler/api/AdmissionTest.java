package io.berth.scheduler.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests the limit of requests in progress. */
class AdmissionTest {
    private final Admission admission = new Admission(2);
    private final List<UniEmitter<? super String>> underWay = new ArrayList<>();

    @Test
    void refusesRequestsAboveTheLimit() {
        CompletableFuture<String> first = begin();
        CompletableFuture<String> second = begin();
        assertThat(refusal()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(underWay).as("the third request was never begun").hasSize(2);

        underWay.get(0).complete("done");
        assertThat(first).isCompletedWithValue("done");
        CompletableFuture<String> fourth = begin();
        assertThat(refusal()).isEqualTo(ErrorCode.OVERLOADED);

        underWay.get(1).fail(new IllegalStateException("lost"));
        assertThat(second).isCompletedExceptionally();
        fourth.cancel(true);
        CompletableFuture<String> fifth = begin();
        CompletableFuture<String> sixth = begin();
        assertThat(underWay).hasSize(5);
        assertThat(List.of(fifth, sixth)).noneMatch(CompletableFuture::isDone);
    }

    private CompletableFuture<String> begin() {
        return admission.admit(this::decision).subscribeAsCompletionStage();
    }

    private Uni<String> decision() {
        return Uni.createFrom().emitter(underWay::add);
    }

    private ErrorCode refusal() {
        var refused = new AtomicReference<Throwable>();
        admission.admit(this::decision).subscribe().with(answer -> {}, refused::set);
        return ((ApiFault) refused.get()).error().code();
    }
}
