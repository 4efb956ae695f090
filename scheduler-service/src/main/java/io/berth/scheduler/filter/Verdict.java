package io.berth.scheduler.filter;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.Limits;
import java.util.List;

/** What a filter says of one host. */
public sealed interface Verdict {
    /** The host stays as it is. */
    Verdict PASS = new Pass();

    /** See {@link #PASS}, the one instance. */
    record Pass() implements Verdict {}

    /** The host stays, with limits noted for whoever builds the instance. */
    record Limited(Limits limits) implements Verdict {}

    /** The host stays with fewer or the same allocation candidates, at least one. */
    record Narrow(List<AllocationCandidate> candidates, Limits limits) implements Verdict {
        public Narrow {
            candidates = List.copyOf(candidates);
        }
    }

    /** The host is out. */
    record Reject(Reason reason) implements Verdict {}

    /** The filter cannot evaluate the request: the whole request fails, not the host. */
    record Failed(String detail) implements Verdict {}

    /** @param shortfall see {@link Reason} */
    static Verdict lacking(double shortfall, String code, String template, Object... values) {
        return new Reject(new Reason(code, template, List.of(values), shortfall));
    }

    static Verdict reject(String code, String template, Object... values) {
        return new Reject(Reason.of(code, template, values));
    }
}
