package io.berth.scheduler.timing;

import io.berth.scheduler.decision.StageTimes;
import io.smallrye.mutiny.Uni;
import java.util.Locale;
import java.util.function.Supplier;

/** Measures the duration of each phase of one request. Not thread-safe: the phases of a request run in sequence. */
public final class Phases implements StageTimes {
    private static final double NANOS_PER_MS = 1e6;

    /** The phases, in the order in which {@link #serverTiming} lists them. */
    public enum Phase {
        /** Reads the changes of the registry from PostgreSQL, and updates the request's server group. */
        REGISTRY,
        /**
         * Reads the records of earlier requests for the same instances, after a failure, and finishes those left open.
         */
        SETTLE,
        /** Runs the prefilters. */
        PREFILTER,
        /** Looks up the hosts that the request names, and the aggregates of its network segments. */
        LOOKUP,
        /** Queries placement, including parsing and the waits for heap and for a turn to decide. */
        CANDIDATES,
        /** Builds host states from candidates and the registry. */
        HOSTS,
        /** Queries the sources of facts about hosts, such as an attestation service. */
        ATTEST,
        FILTER,
        WEIGH,
        CLAIM,
        /** Writes the record of the request and its instances to PostgreSQL. */
        REGISTER,
        /** The whole request, from the creation of this object until {@link #end}. */
        TOTAL;

        public final String label = name().toLowerCase(Locale.ROOT);
    }

    private static final Phase[] ALL = Phase.values();

    private final long startedNanos = System.nanoTime();
    private final long[] nanos = new long[ALL.length];

    /** Runs the work, and adds the time until its Uni completes, fails or is cancelled to the phase. */
    public <T> Uni<T> during(Phase phase, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            long started = System.nanoTime();
            return work.get().onTermination().invoke(() -> add(phase, System.nanoTime() - started));
        });
    }

    /** Runs a synchronous step, and adds its time to the phase, also if the step throws. */
    public <T> T measure(Phase phase, Supplier<T> work) {
        long started = System.nanoTime();
        try {
            return work.get();
        } finally {
            add(phase, System.nanoTime() - started);
        }
    }

    @Override
    public void filtered(String filter, int hostCount, long elapsedNanos) {
        add(Phase.FILTER, elapsedNanos);
    }

    @Override
    public void weighed(String weigher, int hostCount, long elapsedNanos) {
        add(Phase.WEIGH, elapsedNanos);
    }

    private void add(Phase phase, long elapsedNanos) {
        nanos[phase.ordinal()] += elapsedNanos;
    }

    /** Returns the nanoseconds of a phase; 0 if the request did not reach it. */
    public long nanos(Phase phase) {
        return nanos[phase.ordinal()];
    }

    /** Marks the end of the request. */
    public void end() {
        nanos[Phase.TOTAL.ordinal()] = System.nanoTime() - startedNanos;
    }

    /** Renders the header {@code Server-Timing}: {@code PHASE;dur=MILLISECONDS, ...}, without phases of 0 ns. */
    public String serverTiming() {
        var text = new StringBuilder(160);
        for (Phase phase : ALL) {
            if (nanos(phase) > 0) {
                text.append(text.isEmpty() ? "" : ", ").append(phase.label).append(";dur=");
                appendMs(text, nanos(phase));
            }
        }
        return text.toString();
    }

    /** Appends nanoseconds as milliseconds with three decimals. */
    private static void appendMs(StringBuilder text, long elapsedNanos) {
        long micros = Math.round(elapsedNanos / (NANOS_PER_MS / 1_000));
        text.append(micros / 1_000).append('.');
        long rest = micros % 1_000;
        text.append(rest < 100 ? "0" : "").append(rest < 10 ? "0" : "").append(rest);
    }
}
