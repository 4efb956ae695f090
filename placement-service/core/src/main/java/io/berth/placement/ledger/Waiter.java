package io.berth.placement.ledger;

import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ClaimedNames;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A submitted {@link Claim} (a request to change allocations), and the caller that waits for the result. A result or
 * failure must be delivered only after {@link #markAnswered} returned true.
 */
final class Waiter {
    private final Claim claim;
    private final UniEmitter<? super ClaimResult> emitter;
    private final Executor caller;
    private final long sinceNanos = System.nanoTime();
    private final AtomicBoolean isAnswered = new AtomicBoolean();
    private boolean waitedForLock;

    /** @param caller the executor on which the result is delivered */
    Waiter(Claim claim, UniEmitter<? super ClaimResult> emitter, Executor caller) {
        this.claim = claim;
        this.emitter = emitter;
        this.caller = caller;
    }

    /** Returns the consumers, providers and resource classes that the claims of these waiters name. */
    static ClaimedNames names(List<Waiter> waiters) {
        return new ClaimedNames(waiters.stream().map(Waiter::claim).toList());
    }

    Claim claim() {
        return claim;
    }

    /** Returns whether the claim is a release without a fencing token. */
    boolean isPlainRelease() {
        return claim.isPlainRelease();
    }

    /** Returns the {@link System#nanoTime} of the submission of the claim. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** Returns whether the claim was submitted longer than {@code waitMax} ago. */
    boolean isLate(long nowNanos, Duration waitMax) {
        return nowNanos - sinceNanos > waitMax.toNanos();
    }

    /** Returns whether the claim has waited for a lock. Access is synchronized by {@link ClaimQueue}. */
    boolean waitedForLock() {
        return waitedForLock;
    }

    /** Records that the claim waits for a lock. Access is synchronized by {@link ClaimQueue}. */
    void markWaitedForLock() {
        waitedForLock = true;
    }

    /** Returns whether {@link #markAnswered} was called. */
    boolean isAnswered() {
        return isAnswered.get();
    }

    /** Returns true to the first call only. The caller that gets true must deliver the result or failure. */
    boolean markAnswered() {
        return isAnswered.compareAndSet(false, true);
    }

    /** Delivers the result. */
    void answer(ClaimResult result) {
        caller.execute(() -> emitter.complete(result));
    }

    /** Delivers a failure. */
    void fail(Throwable failure) {
        caller.execute(() -> emitter.fail(failure));
    }
}
