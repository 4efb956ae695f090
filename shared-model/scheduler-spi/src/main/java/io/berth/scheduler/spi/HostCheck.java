package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.IdentityHashMap;
import java.util.function.Function;

/**
 * A filter prepared for one request: values that depend only on the request are already derived. Used for the hosts of
 * one round, in one thread.
 */
@FunctionalInterface
public interface HostCheck {
    /** Lets every host pass; the caller does not even call it. */
    HostCheck PASS = _ -> Verdict.PASS;

    Verdict check(HostState host);

    /** Wraps a check that depends only on a host's aggregates: computed once for all hosts in the same aggregates. */
    static HostCheck byAggregates(HostCheck check) {
        return by(HostState::aggregates, check);
    }

    /** Wraps a check that depends only on one property: computed once for all hosts with the same object. */
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
