package io.berth.scheduler.nova.shadow;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The best hosts of a decision on record as they would have weighed without some claims. Computes those weighers again that
 * go by what a claim takes, among the best alone; the others keep their numbers.
 */
final class WithoutClaims {
    private static final long MIB_PER_GIB = 1_024;
    private static final double ROUNDING = 1e-9;

    /** Weighers that go by use: what claims take, in the weigher's unit. */
    private static final Map<String, ToLongFunction<Map<String, Long>>> FREED = Map.of(
            "CPUWeigher", amounts -> amounts.getOrDefault("VCPU", 0L) + amounts.getOrDefault("PCPU", 0L),
            "RAMWeigher", amounts -> amounts.getOrDefault("MEMORY_MB", 0L),
            "DiskWeigher", amounts -> MIB_PER_GIB * amounts.getOrDefault("DISK_GB", 0L));

    private final JsonNode ranked;
    /** By host and resource class, what the claims take. */
    private final Map<String, Map<String, Long>> claimed;
    private final double[] weights;

    /** @param ranked as the record has it: hosts with their weights, the best first */
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
                weighAnew(weigher, freed);
            }
        }
    }

    private void weighAnew(int weigher, ToLongFunction<Map<String, Long>> freed) {
        double[] raw = new double[weights.length];
        double max = -Double.MAX_VALUE;
        double min = Double.MAX_VALUE;
        for (int host = 0; host < raw.length; host++) {
            raw[host] = of(host, weigher, "raw") + freed.applyAsLong(claimedOn(host));
            max = Math.max(max, raw[host]);
            min = Math.min(min, of(host, weigher, "raw"));
        }
        Scale before = scale(weigher);
        if (before != null) {
            max = Math.max(max, before.max());
            min = Math.min(min, before.min());
        }
        for (int host = 0; host < raw.length; host++) {
            double normalized = max > min ? (raw[host] - min) / (max - min) : 0;
            weights[host] += of(host, weigher, "multiplier") * (normalized - of(host, weigher, "normalized"));
        }
    }

    private record Scale(double min, double max) {}

    /** Of all hosts that were weighed; null where the best were alike. */
    private @Nullable Scale scale(int weigher) {
        for (int host = 1; host < weights.length; host++) {
            double part = of(0, weigher, "normalized") - of(host, weigher, "normalized");
            if (part != 0) {
                double range = (of(0, weigher, "raw") - of(host, weigher, "raw")) / part;
                double min = of(0, weigher, "raw") - range * of(0, weigher, "normalized");
                return new Scale(min, min + range);
            }
        }
        return null;
    }

    private double of(int host, int weigher, String number) {
        return ranked.get(host).path("weights").path(weigher).path(number).asDouble();
    }

    private String name(int weigher) {
        return ranked.get(0).path("weights").path(weigher).path("weigher").asText();
    }

    private Map<String, Long> claimedOn(int host) {
        return claimed.getOrDefault(ranked.get(host).path("host").asText(), Map.of());
    }

    /** Not a number where the host was none of the best. */
    double weight(String host) {
        int position = position(host);
        return position < 0 ? Double.NaN : weights[position];
    }

    /** From 1; hosts of the same weight have the same. */
    int rank(String host) {
        double own = weight(host);
        int rank = 1;
        for (double weight : weights) {
            rank += weight > own + ROUNDING ? 1 : 0;
        }
        return rank;
    }

    private int position(String host) {
        for (int i = 0; i < weights.length; i++) {
            if (ranked.get(i).path("host").asText().equals(host)) {
                return i;
            }
        }
        return -1;
    }
}
