package io.berth.deploy.load.http;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * The measurements of a {@link Driver}: filled on the event loop, and read by other threads only after the loop has
 * ended.
 */
public final class Measurements {
    /** The longest latency in microseconds that is distinguished; a longer one counts as this one. */
    private static final long LATENCY_US_MAX = 600_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int WRONG_LISTED_MAX = 5;

    private final Map<String, Kind> kinds = new LinkedHashMap<>();
    private final List<String> wrongs = new ArrayList<>();
    private long wrongCount;
    private long unsent;
    private double seconds;

    /** The measurements of one kind of request, or of one phase of these requests, which the service itself timed. */
    public static final class Kind {
        private final Histogram latencyUs = new Histogram(LATENCY_US_MAX, SIGNIFICANT_DIGITS);
        private final boolean isPhase;
        private long good;
        private long refused;
        private long wrong;
        private long bytes;

        private Kind(boolean isPhase) {
            this.isPhase = isPhase;
        }

        /** Returns whether this is a phase of another kind of request, from the header {@code Server-Timing}. */
        public boolean isPhase() {
            return isPhase;
        }

        public long good() {
            return good;
        }

        public long refused() {
            return refused;
        }

        public long wrong() {
            return wrong;
        }

        public long requestCount() {
            return good + refused + wrong;
        }

        /** Returns the mean size of the response bodies in bytes; a missing response counts as 0 bytes. */
        public double bytesPerResponse() {
            return (double) bytes / Math.max(1, requestCount());
        }

        /**
         * Returns the latency that {@code percentile} percent of the requests do not exceed. Requests without a
         * response have no latency, except the unsent ones of an open loop.
         *
         * @param percentile 0 to 100
         */
        public double latencyMs(double percentile) {
            return latencyUs.getValueAtPercentile(percentile) / 1000.0;
        }

        public double latencyMsMax() {
            return latencyUs.getMaxValue() / 1000.0;
        }
    }

    /** Records a response with its latency, and the phases in its header {@code Server-Timing}. */
    void recordResponse(Exchange exchange, Response response, long latencyNs) {
        Kind kind = kinds.computeIfAbsent(exchange.kind(), _ -> new Kind(false));
        kind.bytes += response.bytes();
        record(kind, latencyNs / 1000);
        switch (exchange.judge().apply(response)) {
            case Outcome.Good _ -> kind.good++;
            case Outcome.Refused _ -> kind.refused++;
            case Outcome.Wrong(String reason) -> addWrong(kind, reason);
        }
        if (response.serverTiming() != null) {
            ServerTiming.parse(response.serverTiming()).forEach((phase, ms) -> {
                Kind phaseKind = kinds.computeIfAbsent(exchange.kind() + ": " + phase, _ -> new Kind(true));
                phaseKind.good++;
                record(phaseKind, Math.round(ms * 1000));
            });
        }
    }

    /** Records that a request got no response, which counts as a wrong response. */
    void recordMissingResponse(Exchange exchange, Throwable cause) {
        Kind kind = kinds.computeIfAbsent(exchange.kind(), _ -> new Kind(false));
        addWrong(kind, "%s %s was not answered: %s".formatted(exchange.method(), exchange.path(), cause.getMessage()));
    }

    private void addWrong(Kind kind, String reason) {
        kind.wrong++;
        wrongCount++;
        if (wrongs.size() < WRONG_LISTED_MAX) {
            wrongs.add(reason);
        }
    }

    private static void record(Kind kind, long us) {
        kind.latencyUs.recordValue(clampToRange(us));
    }

    private static long clampToRange(long us) {
        return Math.clamp(us, 0, LATENCY_US_MAX);
    }

    /**
     * Ends the measurement. Each unsent request counts as a request with the longest latency. Unsent requests are
     * distributed among the kinds in proportion to their responses, because the kind of an unsent request is unknown.
     *
     * @param durationSeconds the duration of the measurement
     * @param longestNs the time that the oldest unsent request has waited
     */
    void end(double durationSeconds, long unsentRequests, long longestNs) {
        seconds = durationSeconds;
        unsent = unsentRequests;
        long responses = requests();
        kinds.values().stream().filter(kind -> unsentRequests > 0 && !kind.isPhase()).forEach(kind -> {
            long longestUs = Math.max(clampToRange(longestNs / 1000), kind.latencyUs.getMaxValue());
            kind.latencyUs.recordValueWithCount(longestUs,
                    Math.ceilDiv(unsentRequests * kind.requestCount(), responses));
        });
    }

    /** Returns the measurements by kind, in the order of the kinds' first responses. */
    public Map<String, Kind> kinds() {
        return kinds;
    }

    /** Returns the duration of the loop in seconds, from its beginning to the last response. */
    public double seconds() {
        return seconds;
    }

    /** Returns, for an open loop, the number of requests that were due but never sent; 0 for a closed loop. */
    public long unsent() {
        return unsent;
    }

    public long requests() {
        return sum(Kind::requestCount);
    }

    public long good() {
        return sum(Kind::good);
    }

    private long sum(ToLongFunction<Kind> figure) {
        return kinds.values().stream().filter(kind -> !kind.isPhase()).mapToLong(figure).sum();
    }

    public long wrongCount() {
        return wrongCount;
    }

    /** Returns the first {@value #WRONG_LISTED_MAX} wrong or missing responses, one line each. */
    public List<String> wrongs() {
        return List.copyOf(wrongs);
    }
}
