package io.berth.deploy.load.life;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A distribution of sizes of virtual machines. */
final class VmSizes {
    private static final int MB_PER_GB = 1024;

    private final List<VmSize> sizes = new ArrayList<>();
    private final List<Double> shares = new ArrayList<>();
    private double sum;

    /**
     * Returns the distribution of these sizes.
     *
     * @param rows triples of vCPUs, GB of memory and share; shares are relative, because charts rarely add up to 100
     */
    static VmSizes of(double... rows) {
        var distribution = new VmSizes();
        for (int i = 0; i < rows.length; i += 3) {
            distribution.sizes.add(new VmSize((int) rows[i], (int) (rows[i + 1] * MB_PER_GB)));
            distribution.shares.add(rows[i + 2]);
            distribution.sum += rows[i + 2];
        }
        return distribution;
    }

    /** Draws a size with a probability that is proportional to its share. */
    VmSize draw(RandomGenerator random) {
        double remaining = random.nextDouble() * sum;
        for (int i = 0; i < sizes.size(); i++) {
            remaining -= shares.get(i);
            if (remaining < 0) {
                return sizes.get(i);
            }
        }
        return sizes.getLast();
    }
}
