package io.berth.scheduler.timing;

import io.berth.scheduler.decision.StageTimes;
import io.smallrye.mutiny.Uni;
import java.util.Locale;
import java.util.function.Supplier;

/** Measures how long each phase of one request took. Mutable; the request's steps run one after the other. */
public final class Phases implements StageTimes {
    private static final double NANOS_PER_MS = 1e6;

    /** The phases, in the order in which they are listed. */
    public enum Phase {
        /** Updates the registry to the current state. */
        REGISTRY,
        /** Resolves what earlier failed requests may have left for the same instances. */
        SETTLE,
        PREFILTER,
        /** Looks up hosts that the request names. */
        LOOKUP,
        /** Queries placement, including parsing and the wait for a turn to decide. */
        CANDIDATES,
        /** Makes host states from candidates and the registry. */
        HOSTS,
        ATTEST,
        FILTER,
        WEIGH,
        CLAIM,
        /** Writes instances to the registry. */
        REGISTER,
        /** The whole request, from body to response. */
        TOTAL;

        public final String label = name().toLowerCase(Locale.ROOT);
    }

    private static final Phase[] ALL = Phase.values();

    private final long startedNanos = System.nanoTime();
    private final long[] nanos = new long[ALL.length];

    /** Adds the time that this takes, however it ends. */
    public <T> Uni<T> during(Phase phase, Supplier<Uni<T>> work) {
        return Uni.createFrom().deferred(() -> {
            long started = System.nanoTime();
            return work.get().onTermination().invoke(() -> add(phase, System.nanoTime() - started));
        });
    }

    public <T> T of(Phase phase, Supplier<T> work) {
        long started = System.nanoTime();
        try {
            return work.get();
        } finally {
            add(phase, System.nanoTime() - started);
        }
    }

    @Override
    public void filtered(String filter, int hostCount, long taken) {
        add(Phase.FILTER, taken);
    }

    @Override
    public void weighed(String weigher, int hostCount, long taken) {
        add(Phase.WEIGH, taken);
    }

    private void add(Phase phase, long taken) {
        nanos[phase.ordinal()] += taken;
    }

    /** Returns 0 for a phase that the request did not reach. */
    public long nanos(Phase phase) {
        return nanos[phase.ordinal()];
    }

    /** Marks the end of the request. */
    public void end() {
        nanos[Phase.TOTAL.ordinal()] = System.nanoTime() - startedNanos;
    }

    /** Renders the header of this name: {@code phase;dur=MILLISECONDS, ...}, without phases that were not reached. */
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

    /** Appends milliseconds with three decimals. */
    private static void appendMs(StringBuilder text, long taken) {
        long micros = Math.round(taken / (NANOS_PER_MS / 1_000));
        text.append(micros / 1_000).append('.');
        long rest = micros % 1_000;
        text.append(rest < 100 ? "0" : "").append(rest < 10 ? "0" : "").append(rest);
    }
}
