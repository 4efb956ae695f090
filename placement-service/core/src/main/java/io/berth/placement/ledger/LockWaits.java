package io.berth.placement.ledger;

import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimedNames;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * The claims that wait for locks of other transactions, and the uuids of the locked providers and consumers. The claims
 * wait in memory and not in the database, where each would keep a connection and the locks of its batch. Not
 * thread-safe: access is synchronized by {@link ClaimQueue}.
 */
final class LockWaits {
    /**
     * The uuids of the providers and consumers that count as locked: those that were locked at the last check, and
     * those for which a batch has waited in vain since.
     */
    private final Set<UUID> locked = new HashSet<>();
    /** The waiting claims, the oldest first. */
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    int size() {
        return waiters.size();
    }

    /** Returns a copy of the uuids of the locked providers and consumers. */
    Set<UUID> locked() {
        return Set.copyOf(locked);
    }

    /** Adds uuids of locked providers and consumers. */
    void addLocked(Set<UUID> nowLocked) {
        locked.addAll(nowLocked);
    }

    /** Returns whether the claim names a locked provider or consumer. */
    boolean namesLocked(Claim claim) {
        return !locked.isEmpty() && ClaimedNames.namesAny(claim, locked);
    }

    /** Adds a claim that waits for a lock. */
    void add(Waiter waiter) {
        waiter.markWaitedForLock();
        waiters.add(waiter);
    }

    /**
     * Moves the claims for which {@code filter} is true to {@code into}. If no claim remains, also forgets the locked
     * uuids, because they are not checked any more.
     */
    void moveMatching(Predicate<Waiter> filter, List<Waiter> into) {
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext();) {
            Waiter waiter = all.next();
            if (filter.test(waiter)) {
                all.remove();
                into.add(waiter);
            }
        }
        if (waiters.isEmpty()) {
            locked.clear();
        }
    }

    /**
     * Moves the claims whose locks are released to {@code into}, the oldest first.
     *
     * @param checked uuids of the providers and consumers whose locks were checked
     * @param stillLocked uuids of those that are still locked
     */
    void removeUnlocked(Set<UUID> checked, Set<UUID> stillLocked, List<Waiter> into) {
        locked.removeAll(checked);
        locked.addAll(stillLocked);
        moveMatching(waiter -> !namesLocked(waiter.claim()), into);
    }
}
