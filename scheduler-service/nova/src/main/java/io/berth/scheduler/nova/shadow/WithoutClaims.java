package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Computes how the best hosts of a recorded decision would have ranked without some claims. Repeats the weighers that
 * depend on usage, for the recorded best hosts only; the weights of the other weighers stay.
 */
final class WithoutClaims {
    private static final long MIB_PER_GIB = 1_024;
    /** Weights that differ by at most this are equal: computed weights are inexact in their last digits. */
    private static final double ROUNDING = 1e-9;

    /** The weighers that depend on usage; for each a function from claimed amounts to the weigher's unit. */
    private static final Map<String, ToLongFunction<Map<String, Long>>> FREED = Map.of(
            "CPUWeigher", amounts -> amounts.getOrDefault("VCPU", 0L) + amounts.getOrDefault("PCPU", 0L),
            "RAMWeigher", amounts -> amounts.getOrDefault("MEMORY_MB", 0L),
            "DiskWeigher", amounts -> MIB_PER_GIB * amounts.getOrDefault("DISK_GB", 0L));

    private final JsonNode ranked;
    /** The amounts of the claims, by host and resource class. */
    private final Map<String, Map<String, Long>> claimed;
    private final double[] weights;

    /**
     * @param ranked array {@code ranked} of a decision record: hosts with their weights, the best first
     * @param claimed amounts of the claims, by host and resource class
     */
    WithoutClaims(JsonNode ranked, Map<String, Map<String, Long>> claimed) {
        this.ranked = ranked;
        this.claimed = claimed;
        weights = new double[ranked.size()];
        for (int host = 0; host < weights.length; host++) {
            weights[host] = ranked.get(host).path("weight").asDouble();
        }
        JsonNode weighers = ranked.path(0).path("weights");
        for (int weigher = 0; weigher < weighers.size(); weigher++) {
            ToLongFunction<Map<String, Long>> freed = FREED.get(name(weigher));
            if (freed != null) {
                weighAgain(weigher, freed);
            }
        }
    }

    /** Replaces one weigher's share of each host's weight by the share without the claims. */
    private void weighAgain(int weigher, ToLongFunction<Map<String, Long>> freed) {
        double[] raw = new double[weights.length];
        double max = -Double.MAX_VALUE;
        double min = Double.MAX_VALUE;
        for (int host = 0; host < raw.length; host++) {
            raw[host] = read(host, weigher, "raw") + freed.applyAsLong(claimedOn(host));
            max = Math.max(max, raw[host]);
            // The minimum ignores the freed amounts, because hosts that are not recorded keep their raw weights.
            min = Math.min(min, read(host, weigher, "raw"));
        }
        Scale before = scale(weigher);
        if (before != null) {
            max = Math.max(max, before.max());
            min = Math.min(min, before.min());
        }
        for (int host = 0; host < raw.length; host++) {
            double normalized = max > min ? (raw[host] - min) / (max - min) : 0;
            weights[host] += read(host, weigher, "multiplier") * (normalized - read(host, weigher, "normalized"));
        }
    }

    private record Scale(double min, double max) {}

    /**
     * Returns the lowest and highest raw weight of all weighed hosts, whose normalized weights are 0 and 1. They follow
     * from the line through (normalized, raw) of two recorded hosts with different normalized weights. Null if the
     * normalized weights of all recorded hosts are equal.
     */
    private @Nullable Scale scale(int weigher) {
        for (int host = 1; host < weights.length; host++) {
            double normalizedDifference = read(0, weigher, "normalized") - read(host, weigher, "normalized");
            if (normalizedDifference != 0) {
                double range = (read(0, weigher, "raw") - read(host, weigher, "raw")) / normalizedDifference;
                double min = read(0, weigher, "raw") - range * read(0, weigher, "normalized");
                return new Scale(min, min + range);
            }
        }
        return null;
    }

    /**
     * Reads a number of the record.
     *
     * @param member {@code raw}, {@code normalized} or {@code multiplier}
     */
    private double read(int host, int weigher, String member) {
        return ranked.get(host).path("weights").path(weigher).path(member).asDouble();
    }

    private String name(int weigher) {
        return ranked.get(0).path("weights").path(weigher).path("weigher").asText();
    }

    private Map<String, Long> claimedOn(int host) {
        return claimed.getOrDefault(ranked.get(host).path("host").asText(), Map.of());
    }

    /** Returns the weight without the claims; NaN if the host was not among the recorded best hosts. */
    double weight(@Nullable String host) {
        int position = position(host);
        return position < 0 ? Double.NaN : weights[position];
    }

    /**
     * Returns the rank without the claims, from 1; hosts of the same weight have the same rank. The host must be one of
     * the recorded best hosts; any other host gets rank 1.
     */
    int rank(@Nullable String host) {
        double own = weight(host);
        int rank = 1;
        for (double weight : weights) {
            rank += weight > own + ROUNDING ? 1 : 0;
        }
        return rank;
    }

    private int position(@Nullable String host) {
        for (int i = 0; i < weights.length; i++) {
            if (ranked.get(i).path("host").asText().equals(host)) {
                return i;
            }
        }
        return -1;
    }
}
