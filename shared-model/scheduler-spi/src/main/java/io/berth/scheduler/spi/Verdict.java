package io.berth.scheduler.spi;

import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import java.util.List;

/** The verdict of a filter on one host. */
public sealed interface Verdict {
    /** The host passes unchanged. */
    Verdict PASS = new Pass();

    /** The host passes. */
    sealed interface Remaining extends Verdict {
        /** Returns the host for the next filter. */
        HostState applyTo(HostState host);
    }

    /** The host passes unchanged. Use {@link #PASS} instead of a new instance. */
    record Pass() implements Remaining {
        @Override
        public HostState applyTo(HostState host) {
            return host;
        }
    }

    /**
     * The host passes, with limits for the compute service that builds the instance. The limits replace the
     * host's limits.
     */
    record Limited(Limits limits) implements Remaining {
        @Override
        public HostState applyTo(HostState host) {
            return host.withLimits(limits);
        }
    }

    /**
     * The host passes with only some of its allocation candidates, at least one. The limits replace the host's limits.
     */
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

    /** The filter cannot evaluate the request. The whole request fails, not only the host. */
    record Failed(String detail) implements Verdict {}

    /** Returns a rejection with a shortfall; {@link Reason} describes the parameters. */
    static Verdict lacking(double shortfall, String code, String template, Object... values) {
        return new Reject(new Reason(code, template, List.of(values), shortfall));
    }

    /** Returns a rejection without a shortfall; {@link Reason} describes the parameters. */
    static Verdict reject(String code, String template, Object... values) {
        return new Reject(Reason.of(code, template, values));
    }
}
