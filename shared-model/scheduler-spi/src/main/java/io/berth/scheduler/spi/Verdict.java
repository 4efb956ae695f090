package io.berth.scheduler.spi;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import java.util.List;

/** The verdict of a filter on one host. */
public sealed interface Verdict {
    /** The host remains, unchanged. */
    Verdict PASS = new Pass();

    /** The host remains. */
    sealed interface Remaining extends Verdict {
        /** Returns the host as the next filter sees it. */
        HostState applyTo(HostState host);
    }

    /** The host remains, unchanged; {@link #PASS} is the only instance. */
    record Pass() implements Remaining {
        @Override
        public HostState applyTo(HostState host) {
            return host;
        }
    }

    /** The host remains, with limits for the compute service that builds the instance. */
    record Limited(Limits limits) implements Remaining {
        @Override
        public HostState applyTo(HostState host) {
            return host.withLimits(limits);
        }
    }

    /** The host remains with a non-empty subset of its allocation candidates. */
    record Narrow(List<AllocationCandidate> candidates, Limits limits) implements Remaining {
        public Narrow {
            candidates = List.copyOf(candidates);
        }

        @Override
        public HostState applyTo(HostState host) {
            return new HostState(host.facts(), candidates, limits);
        }
    }

    /** The host is rejected. */
    record Reject(Reason reason) implements Verdict {}

    /** The filter cannot evaluate the request: the whole request fails, not the host. */
    record Failed(String detail) implements Verdict {}

    /** Rejects the host for a reason with a measured shortfall; see {@link Reason} for the parameters. */
    static Verdict lacking(double shortfall, String code, String template, Object... values) {
        return new Reject(new Reason(code, template, List.of(values), shortfall));
    }

    /** Rejects the host for a reason without a measured shortfall; see {@link Reason} for the parameters. */
    static Verdict reject(String code, String template, Object... values) {
        return new Reject(Reason.of(code, template, values));
    }
}
