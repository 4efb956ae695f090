package io.berth.scheduler.timing;

import io.berth.scheduler.decision.StageTimes;
import io.smallrye.mutiny.Uni;
import java.util.Locale;
import java.util.function.Supplier;

/** Where the time of one request went. Mutable; the request's steps run one after the other. */
public final class Phases implements StageTimes {
    private static final double NANOS_PER_MS = 1e6;

    /** In the order they are told. */
    public enum Phase {
        /** The registry is brought up to date. */
        REGISTRY,
        /** What earlier, failed requests left of the same instances is cleared away; where any may be left at all. */
        SETTLE,
        PREFILTER,
        /** Hosts that the request names are looked for. */
        LOOKUP,
        /** Placement is asked; parsing is part of it, and so is a wait for the turn to claim. */
        CANDIDATES,
        /** Candidates and registry become host states. */
        HOSTS,
        ATTEST,
        FILTER,
        WEIGH,
        CLAIM,
        /** Instances are written to the registry. */
        REGISTER,
        /** Everything, from body to answer. */
        TOTAL;

        public final String label = name().toLowerCase(Locale.ROOT);
    }

    private static final Phase[] ALL = Phase.values();

    private final long startedNanos = System.nanoTime();
    private final long[] nanos = new long[ALL.length];

    /** Adds what this takes, however it ends. */
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

    /** 0 for one the request did not come to. */
    public long nanos(Phase phase) {
        return nanos[phase.ordinal()];
    }

    /** The request ends now. */
    public void end() {
        nanos[Phase.TOTAL.ordinal()] = System.nanoTime() - startedNanos;
    }

    /** As the header of this name: {@code phase;dur=MILLISECONDS, ...}, without the phases that did not come. */
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

    /** With three digits behind the point. */
    private static void appendMs(StringBuilder text, long taken) {
        long micros = Math.round(taken / (NANOS_PER_MS / 1_000));
        text.append(micros / 1_000).append('.');
        long rest = micros % 1_000;
        text.append(rest < 100 ? "0" : "").append(rest < 10 ? "0" : "").append(rest);
    }
}
