package io.berth.scheduler.decision;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.KeptByUse;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.Ranking;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * What the last decisions found out about hosts, by the shape of their requests, for one set of options, filters and
 * weighers. A decision with a memory equals one without; it asks only about hosts that are new to its shape. Bounded;
 * for several threads.
 */
public final class DecisionMemory {
    /** Kinds of requests. Every flavor and image of a project is one. */
    private static final int SHAPES_MAX = 512;
    /** Hosts over all shapes; one takes some 100 bytes of columns, and its host state where no other shape has that. */
    private static final long HOSTS_MAX = 250_000;

    /** Hosts that are new, and hosts in all, up to which a round takes less than a thread's change is worth. */
    static final int NEW_QUICK_MAX = 64;
    private static final int QUICK_MAX = 4_000;

    private final Options options;
    private final EnabledFilters filters;
    private final EnabledWeighers weighers;
    private final KeptByUse<Key, Kept> kept =
            new KeptByUse<>(SHAPES_MAX, HOSTS_MAX, each -> each.filtered().hostCount() + 1);

    public DecisionMemory(Options options, EnabledFilters filters, EnabledWeighers weighers) {
        this.options = options;
        this.filters = filters;
        this.weighers = weighers;
    }

    /** @param first the first round asks filters that the later ones do not */
    record Key(RequestSpec shape, boolean first) {}

    record Kept(FilteredHosts filtered, Ranking.Ranked ranked) {}

    /**
     * Null if the round is evaluated without memory. That is so where every host is to be explained; where a server
     * group decides, which changes with every member; and in later rounds whose request bears what an earlier one
     * fitted.
     */
    static @Nullable Key keyOf(RequestSpec spec, int round, SchedulingInputs inputs) {
        DecisionMemory memory = inputs.memory();
        boolean fitted = round > 0 && (spec.numaTopology() != null || !spec.requestedResources().isEmpty());
        return memory == null
                        || !memory.isOf(inputs)
                        || inputs.detail() == SchedulingInputs.Detail.HOSTS
                        || spec.instanceGroup() != null
                        || fitted
                ? null
                : new Key(withoutDerivedIds(spec.shape(), inputs.options()), round == 0);
    }

    /**
     * Ids that were made up for PCI requests name groups of placement's answer, or nothing: without PCI devices in
     * placement and other groups that could bear the name, no filter finds them anywhere.
     */
    private static RequestSpec withoutDerivedIds(RequestSpec shape, Options options) {
        boolean nameNothing = !shape.pciRequests().isEmpty()
                && !options.filterScheduler().pciInPlacement()
                && shape.requestedResources().isEmpty()
                && shape.pciRequests().stream().allMatch(request -> isDerived(request, shape));
        return nameNothing
                ? shape.toBuilder()
                        .pciRequests(shape.pciRequests().stream().map(PciRequest::withoutId).toList())
                        .build()
                : shape;
    }

    private static boolean isDerived(PciRequest request, RequestSpec shape) {
        String id = request.requestId();
        return request.aliasName() != null
                && id != null
                && Uuids.find(id) != null
                && shape.flavor().extraSpecs().keySet().stream().noneMatch(key -> key.contains(id));
    }

    private boolean isOf(SchedulingInputs inputs) {
        return inputs.options() == options && inputs.filters() == filters && inputs.weighers() == weighers;
    }

    /** Whether a first round asks mostly about hosts that are remembered. */
    boolean isQuick(RequestSpec spec, List<HostState> hosts, SchedulingInputs inputs) {
        Key key = hosts.size() > QUICK_MAX ? null : keyOf(spec, 0, inputs);
        Kept found = key == null ? null : find(key);
        return found != null && found.filtered().countNew(hosts) <= NEW_QUICK_MAX;
    }

    @Nullable Kept find(Key key) {
        return kept.find(key);
    }

    void keep(Key key, Kept found) {
        kept.keep(key, found);
    }
}
