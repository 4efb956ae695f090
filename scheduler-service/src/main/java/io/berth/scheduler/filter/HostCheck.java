package io.berth.scheduler.filter;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * A filter ready for one request: what depends on the request alone is derived, what depends on the host is asked. For
 * the hosts of one round and one thread.
 */
@FunctionalInterface
public interface HostCheck {
    /** Lets every host pass; nobody asks it. */
    HostCheck PASS = _ -> Verdict.PASS;

    Verdict check(HostState host);

    /** The same where nothing of a host matters but its aggregates: asked once for all hosts that are in the same. */
    static HostCheck byAggregates(HostCheck check) {
        IdentityHashMap<List<HostAggregate>, Verdict> said = new IdentityHashMap<>();
        return host -> {
            Verdict known = said.get(host.aggregates());
            if (known == null) {
                known = check.check(host);
                said.put(host.aggregates(), known);
            }
            return known;
        };
    }
}
