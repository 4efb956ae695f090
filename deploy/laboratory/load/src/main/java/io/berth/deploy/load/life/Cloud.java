package io.berth.deploy.load.life;

import java.util.random.RandomGenerator;

/**
 * Statistics of requests to create virtual machines in public clouds: sizes, lifetimes and numbers of machines. Each
 * row of sizes has vCPUs, GB of memory, and the share of machines in percent. Each row of lifetimes has hours, and the
 * percentage of machines that live at most that long. Values for which there is no source are marked as assumed.
 */
public enum Cloud {
    /**
     * Microsoft Azure, from github.com/Azure/AzurePublicDataset, read off charts to about one percentage point. Sizes
     * are from the trace of 2017; its chart of cores and its chart of memory are combined by pairing bars with similar
     * shares. Lifetimes, and the numbers of machines in a deployment, are from the notebook of the 2019 trace, for the
     * whole workload. Assumed: machines that outlive the chart of lifetimes (8 %) live up to 30 days, the length of the
     * trace; deployments of more than 50 machines have up to 100.
     */
    AZURE(
            VmSizes.of(
                    1, 0.75, 2.4,
                    1, 1.75, 47.6,
                    2, 3.5, 24.6,
                    4, 7, 11.3,
                    8, 14, 10.1,
                    8, 56, 4.0),
            Cdf.of(
                    5.0 / 60, 0,
                    1, 67,
                    1.5, 70.5,
                    2, 72,
                    3, 76,
                    4, 78,
                    6, 80.6,
                    8, 82.2,
                    12, 85,
                    16, 87.3,
                    24, 89.6,
                    48, 90.9,
                    99, 91.9,
                    500, 92,
                    720, 100)),
    /**
     * Huawei Cloud, region East-1. Sizes and lifetimes are from charts in the documentation of
     * github.com/mail-ecnu/VMAgent.
     * Assumed: the distribution of lifetimes below 14 hours, the longest lifetime of 320 days, and Azure's numbers of
     * machines in a deployment.
     */
    HUAWEI(
            VmSizes.of(
                    1, 1, 22.0,
                    1, 2, 43.8,
                    1, 4, 2.7,
                    2, 4, 13.4,
                    2, 8, 1.9,
                    4, 8, 9.1,
                    4, 16, 1.7,
                    8, 16, 2.7,
                    8, 32, 1.0,
                    12, 24, 0.5,
                    16, 32, 0.9,
                    32, 64, 0.1,
                    64, 128, 0.2),
            Cdf.of(
                    5.0 / 60, 0,
                    0.6 * 24, 88.3,
                    1.1 * 24, 93.3,
                    3.1 * 24, 94.8,
                    6.9 * 24, 96.0,
                    13.9 * 24, 96.7,
                    30 * 24, 97.1,
                    60 * 24, 98.2,
                    120 * 24, 99.1,
                    180 * 24, 99.5,
                    270 * 24, 99.9,
                    320 * 24, 100));

    /**
     * The number of machines in a deployment, from Azure's trace of 2019. Each row has a number, and the
     * percentage of deployments with at most so many machines.
     */
    private static final Cdf DEPLOYMENT_SIZES = Cdf.of(
            1, 48,
            2, 64,
            3, 71.4,
            4, 76.5,
            5, 79.2,
            6, 82.2,
            8, 85.4,
            10, 88.2,
            15, 91.4,
            20, 93.7,
            30, 96.0,
            40, 96.9,
            50, 97.4,
            100, 100);

    private final VmSizes sizes;
    private final Cdf lifetimesHours;

    Cloud(VmSizes sizes, Cdf lifetimesHours) {
        this.sizes = sizes;
        this.lifetimesHours = lifetimesHours;
    }

    /** Draws a size, with the probabilities of the distribution. */
    public VmSize drawSize(RandomGenerator random) {
        return sizes.draw(random);
    }

    /** Draws a lifetime in hours. */
    public double drawLifetimeHours(RandomGenerator random) {
        return lifetimesHours.quantile(100 * random.nextDouble());
    }

    public double lifetimeHoursMean() {
        return lifetimesHours.mean();
    }

    /** Draws the number of machines in one deployment, 1 to 100. */
    public int drawDeploymentSize(RandomGenerator random) {
        return deploymentSizeAt(100 * random.nextDouble());
    }

    /**
     * Returns the number of machines that {@code percent} percent of the deployments do not exceed.
     *
     * @param percent 0 to 100
     */
    static int deploymentSizeAt(double percent) {
        // A rounding error of the quantile must not turn 2 into 3.
        return (int) Math.ceil(DEPLOYMENT_SIZES.quantile(percent) - 1e-9);
    }

    /**
     * Returns the mean of the distribution. It is a little below the mean of the numbers that {@link
     * #drawDeploymentSize} draws, because these are rounded up.
     */
    public double deploymentSizeMean() {
        return DEPLOYMENT_SIZES.mean();
    }
}
