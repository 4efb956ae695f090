package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.IdentityHashMap;
import java.util.function.Function;

/**
 * A filter that is prepared for one round of a request, that is, for one instance. Everything that depends only on the
 * request is already computed. Called for each host of the round, by one thread.
 */
@FunctionalInterface
public interface HostCheck {
    /** The check of a filter that does not concern the request. Every host passes, so the check need not be called. */
    HostCheck PASS = _ -> Verdict.PASS;

    /** Returns the verdict on one host. Must not block or throw; see {@link HostFilter}. */
    Verdict check(HostState host);

    /**
     * Returns a check that calls the given check once for all hosts that share one list of aggregates, and reuses the
     * verdict. The given check must depend only on the aggregates of a host.
     */
    static HostCheck byAggregates(HostCheck check) {
        return by(HostState::aggregates, check);
    }

    /**
     * Returns a check that calls the given check once for each distinct object that hosts may share, and reuses the
     * verdict for all hosts with this object. Objects are compared by identity.
     *
     * @param shared returns the object of a host, such as its list of aggregates. The given check must depend only on
     *         this object
     */
    static HostCheck by(Function<HostState, ?> shared, HostCheck check) {
        IdentityHashMap<Object, Verdict> verdicts = new IdentityHashMap<>();
        return host -> {
            Object key = shared.apply(host);
            Verdict verdict = verdicts.get(key);
            if (verdict == null) {
                verdict = check.check(host);
                verdicts.put(key, verdict);
            }
            return verdict;
        };
    }
}
