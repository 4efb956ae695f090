package io.berth.placement.ledger;

import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ClaimedNames;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/** A claim and the caller that waits for its result, which is delivered once. */
final class Waiter {
    private final Claim claim;
    private final UniEmitter<? super ClaimResult> emitter;
    private final Executor caller;
    private final long sinceNanos = System.nanoTime();
    private final AtomicBoolean isAnswered = new AtomicBoolean();
    private boolean waitedForLock;

    /** @param caller executor that receives the result */
    Waiter(Claim claim, UniEmitter<? super ClaimResult> emitter, Executor caller) {
        this.claim = claim;
        this.emitter = emitter;
        this.caller = caller;
    }

    static ClaimedNames names(List<Waiter> waiters) {
        return new ClaimedNames(waiters.stream().map(Waiter::claim).toList());
    }

    Claim claim() {
        return claim;
    }

    boolean isRelease() {
        return claim.isPlainRelease();
    }

    long sinceNanos() {
        return sinceNanos;
    }

    boolean isLate(long nowNanos, Duration waitMax) {
        return nowNanos - sinceNanos > waitMax.toNanos();
    }

    /** Returns whether it has waited for a lock, and so may meet a lock again. Guarded by the queue's lock. */
    boolean waitedForLock() {
        return waitedForLock;
    }

    void waitsForLock() {
        waitedForLock = true;
    }

    boolean isAnswered() {
        return isAnswered.get();
    }

    /** Returns true for the first call only, whose caller then delivers the result. */
    boolean isFirstAnswer() {
        return isAnswered.compareAndSet(false, true);
    }

    void answer(ClaimResult result) {
        caller.execute(() -> emitter.complete(result));
    }

    void fail(Throwable failure) {
        caller.execute(() -> emitter.fail(failure));
    }
}
