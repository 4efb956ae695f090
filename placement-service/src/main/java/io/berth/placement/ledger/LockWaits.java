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
 * The claims that wait for other transactions' locks, and what is locked. They wait here and not in the database, where
 * each would keep a connection and the locks it already has. For one thread at a time.
 */
final class LockWaits {
    private final Set<UUID> locked = new HashSet<>();
    /** The oldest first. */
    private final Deque<Waiter> waiters = new ArrayDeque<>();

    boolean isEmpty() {
        return waiters.isEmpty();
    }

    int size() {
        return waiters.size();
    }

    /** Providers and consumers; a copy. */
    Set<UUID> locked() {
        return Set.copyOf(locked);
    }

    void learn(Set<UUID> nowLocked) {
        locked.addAll(nowLocked);
    }

    boolean concern(Claim claim) {
        return !locked.isEmpty() && ClaimedNames.namesAny(claim, locked);
    }

    void add(Waiter waiter) {
        waiter.waitsForLock();
        waiters.add(waiter);
    }

    /** Takes out those that are for it. */
    void drain(Predicate<Waiter> which, List<Waiter> into) {
        for (Iterator<Waiter> all = waiters.iterator(); all.hasNext();) {
            Waiter waiter = all.next();
            if (which.test(waiter)) {
                all.remove();
                into.add(waiter);
            }
        }
        if (waiters.isEmpty()) {
            locked.clear();
        }
    }

    /**
     * Takes out those whose locks are gone, the oldest first.
     *
     * @param stillLocked of those that were asked for
     */
    void release(Set<UUID> asked, Set<UUID> stillLocked, List<Waiter> into) {
        locked.removeAll(asked);
        locked.addAll(stillLocked);
        drain(waiter -> !concern(waiter.claim()), into);
    }
}
