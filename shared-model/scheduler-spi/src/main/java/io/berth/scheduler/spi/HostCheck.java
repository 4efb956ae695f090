package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.IdentityHashMap;
import java.util.function.Function;

/**
 * A filter prepared for one request: what depends only on the request has been derived; it is called for each host. For
 * the hosts of one round and one thread.
 */
@FunctionalInterface
public interface HostCheck {
    /** Lets every host pass; it is never called. */
    HostCheck PASS = _ -> Verdict.PASS;

    Verdict check(HostState host);

    /**
     * Returns a check that depends only on the aggregates of a host: it is called once for all hosts in the same
     * aggregates.
     */
    static HostCheck byAggregates(HostCheck check) {
        return by(HostState::aggregates, check);
    }

    /**
     * Returns a check that depends only on one object of a host: it is called once for all hosts with the same object.
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
