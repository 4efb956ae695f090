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

    /** The same where nothing of a host matters but its aggregates: asked once for all hosts that are in the same. */
    static HostCheck byAggregates(HostCheck check) {
        return by(HostState::aggregates, check);
    }

    /** The same where nothing of a host matters but that: asked once for all hosts that have the same object. */
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
