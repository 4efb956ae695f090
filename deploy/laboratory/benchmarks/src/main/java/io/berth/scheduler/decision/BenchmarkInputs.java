package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.AggregateInstanceExtraSpecsFilter;
import io.berth.scheduler.filter.ComputeCapabilitiesFilter;
import io.berth.scheduler.filter.ComputeFilter;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.filter.ImagePropertiesFilter;
import io.berth.scheduler.filter.NUMATopologyFilter;
import io.berth.scheduler.filter.PciPassthroughFilter;
import io.berth.scheduler.filter.ServerGroupAffinityFilter;
import io.berth.scheduler.filter.ServerGroupAntiAffinityFilter;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.weigher.BuildFailureWeigher;
import io.berth.scheduler.weigher.CPUWeigher;
import io.berth.scheduler.weigher.CrossCellWeigher;
import io.berth.scheduler.weigher.DiskWeigher;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.HypervisorVersionWeigher;
import io.berth.scheduler.weigher.ImagePropertiesWeigher;
import io.berth.scheduler.weigher.IoOpsWeigher;
import io.berth.scheduler.weigher.MetricsWeigher;
import io.berth.scheduler.weigher.NumInstancesWeigher;
import io.berth.scheduler.weigher.PCIWeigher;
import io.berth.scheduler.weigher.RAMWeigher;
import io.berth.scheduler.weigher.ServerGroupSoftAffinityWeigher;
import io.berth.scheduler.weigher.ServerGroupSoftAntiAffinityWeigher;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The filters and weighers of the benchmarks: nova's default filters and a few more, and all weighers. */
public final class BenchmarkInputs {
    private static final EnabledWeighers ALL_WEIGHERS = new EnabledWeighers(List.of(
            new BuildFailureWeigher(),
            new CPUWeigher(),
            new CrossCellWeigher(),
            new DiskWeigher(),
            new HypervisorVersionWeigher(),
            new ImagePropertiesWeigher(),
            new IoOpsWeigher(),
            new MetricsWeigher(),
            new NumInstancesWeigher(),
            new PCIWeigher(),
            new RAMWeigher(),
            new ServerGroupSoftAffinityWeigher(),
            new ServerGroupSoftAntiAffinityWeigher()));

    private BenchmarkInputs() {}

    /**
     * Returns inputs of a decision with nova's five default filters, the filters for extra specs of aggregates, NUMA
     * and PCI, and all weighers. The options are the defaults, and the random generator has a fixed seed.
     */
    public static SchedulingInputs inputs(SchedulingInputs.Detail detail) {
        var filters = new ArrayList<HostFilter>(List.of(
                new ComputeFilter(),
                new ComputeCapabilitiesFilter(),
                new ImagePropertiesFilter(),
                new ServerGroupAntiAffinityFilter(),
                new ServerGroupAffinityFilter(),
                new AggregateInstanceExtraSpecsFilter(),
                new NUMATopologyFilter(),
                new PciPassthroughFilter()));
        return new SchedulingInputs(
                Options.DEFAULTS, new EnabledFilters(filters), ALL_WEIGHERS, new SplittableRandom(1), detail);
    }
}
