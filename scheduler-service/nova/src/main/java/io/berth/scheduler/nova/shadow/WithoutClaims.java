package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Computes how the best hosts of a recorded decision would have ranked if some claims had not existed. Only CPUWeigher,
 * RAMWeigher and DiskWeigher are computed again, and only for the best hosts, which are the hosts in the record. The
 * weights of the other weighers stay, also if they depend on usage.
 */
final class WithoutClaims {
    private static final long MIB_PER_GIB = 1_024;
    /**
     * The maximum difference of weights that count as equal, because computed weights are inexact in their last digits.
     */
    private static final double ROUNDING = 1e-9;

    /**
     * The weighers that are computed again, by name. The function converts claimed amounts, by resource class, to the
     * amount by which the raw weight of the host rises without the claims.
     */
    private static final Map<String, ToLongFunction<Map<String, Long>>> RAW_WEIGHT_OF_CLAIMS = Map.of(
            "CPUWeigher", amounts -> amounts.getOrDefault("VCPU", 0L) + amounts.getOrDefault("PCPU", 0L),
            "RAMWeigher", amounts -> amounts.getOrDefault("MEMORY_MB", 0L),
            "DiskWeigher", amounts -> MIB_PER_GIB * amounts.getOrDefault("DISK_GB", 0L));

    /** The best hosts of the decision with their weights, the best first. */
    private final JsonNode ranked;
    /** The amounts of the claims, by host name and resource class. */
    private final Map<String, Map<String, Long>> claimed;
    /** The weight of each host in {@link #ranked} without the claims. */
    private final double[] weights;

    /**
     * @param ranked array {@code ranked} of a decision record: hosts with their weights, the best first
     * @param claimed amounts of the claims, by host name and resource class
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
            ToLongFunction<Map<String, Long>> rawWeightOfClaims = RAW_WEIGHT_OF_CLAIMS.get(name(weigher));
            if (rawWeightOfClaims != null) {
                weighAgain(weigher, rawWeightOfClaims);
            }
        }
    }

    /** Replaces one weigher's share of each host's weight by the share without the claims. */
    private void weighAgain(int weigher, ToLongFunction<Map<String, Long>> rawWeightOfClaims) {
        double[] raw = new double[weights.length];
        double max = -Double.MAX_VALUE;
        double min = Double.MAX_VALUE;
        for (int host = 0; host < raw.length; host++) {
            raw[host] = read(host, weigher, "raw") + rawWeightOfClaims.applyAsLong(claimedOn(host));
            max = Math.max(max, raw[host]);
            // Takes the raw weights with the claims for the minimum, because a host with the lowest raw weight may be
            // missing in the record, and keeps its raw weight.
            min = Math.min(min, read(host, weigher, "raw"));
        }
        Scale recordedScale = scale(weigher);
        if (recordedScale != null) {
            max = Math.max(max, recordedScale.max());
            min = Math.min(min, recordedScale.min());
        }
        for (int host = 0; host < raw.length; host++) {
            double normalized = max > min ? (raw[host] - min) / (max - min) : 0;
            weights[host] += read(host, weigher, "multiplier") * (normalized - read(host, weigher, "normalized"));
        }
    }

    /** The lowest and highest raw weight of all weighed hosts. */
    private record Scale(double min, double max) {}

    /**
     * Returns the lowest and highest raw weight of all weighed hosts, although the record has only the best hosts. The
     * normalized weights of these two are 0 and 1, so they are on the line through (normalized, raw) of any two
     * recorded hosts with different normalized weights. Returns null if the normalized weights of all recorded hosts
     * are equal.
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

    /** Returns the weight of a host without the claims; NaN if the host is not in the record. */
    double weight(@Nullable String host) {
        int position = position(host);
        return position < 0 ? Double.NaN : weights[position];
    }

    /**
     * Returns the rank of a host among the recorded hosts without the claims, from 1; hosts of equal weight have the
     * same rank. The host must be in the record; the result is 1 for any other host.
     */
    int rank(@Nullable String host) {
        double weightOfHost = weight(host);
        int rank = 1;
        for (double weight : weights) {
            rank += weight > weightOfHost + ROUNDING ? 1 : 0;
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
