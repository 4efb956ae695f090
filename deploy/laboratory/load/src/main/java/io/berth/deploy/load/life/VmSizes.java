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
     * @param rows triples of vCPUs, GB of memory and share; shares are relative, because charts rarely add up to 100
     */
    static VmSizes of(double... rows) {
        var all = new VmSizes();
        for (int i = 0; i < rows.length; i += 3) {
            all.sizes.add(new VmSize((int) rows[i], (int) (rows[i + 1] * MB_PER_GB)));
            all.shares.add(rows[i + 2]);
            all.sum += rows[i + 2];
        }
        return all;
    }

    VmSize draw(RandomGenerator random) {
        double left = random.nextDouble() * sum;
        for (int i = 0; i < sizes.size(); i++) {
            left -= shares.get(i);
            if (left < 0) {
                return sizes.get(i);
            }
        }
        return sizes.getLast();
    }
}
