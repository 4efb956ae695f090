package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.IdentityHashMap;
import java.util.function.Function;

/**
 * A filter that is prepared for one request and is called for each host. It has already derived all that depends only
 * on the request. It is used for the hosts of one round, by one thread.
 */
@FunctionalInterface
public interface HostCheck {
    /** Lets every host pass; it is never called. */
    HostCheck PASS = _ -> Verdict.PASS;

    Verdict check(HostState host);

    /**
     * Returns a check that calls the given one once for all hosts in the same aggregates. The given check must depend
     * only on the aggregates of a host.
     */
    static HostCheck byAggregates(HostCheck check) {
        return by(HostState::aggregates, check);
    }

    /**
     * Returns a check that calls the given one once for all hosts that have the same object.
     *
     * @param what returns the object of a host; the given check must depend only on it
     */
    static HostCheck by(Function<HostState, ?> what, HostCheck check) {
        IdentityHashMap<Object, Verdict> said = new IdentityHashMap<>();
        return host -> {
            Object key = what.apply(host);
            Verdict known = said.get(key);
            if (known == null) {
                known = check.check(host);
                said.put(key, known);
            }
            return known;
        };
    }
}
