package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.weigher.RankedHost;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The hosts of a round for the next one, in the order they were to be tried, the selected one as the claim left it.
 * Read-only; the ranking is sorted no further than this is read.
 */
final class HostsLeft extends AbstractList<HostState> implements RandomAccess {
    private final List<RankedHost> order;
    private final RankedHost selected;
    private final HostState charged;

    HostsLeft(List<RankedHost> order, RankedHost selected, HostState charged) {
        this.order = order;
        this.selected = selected;
        this.charged = charged;
    }

    @Override
    public HostState get(int index) {
        RankedHost ranked = order.get(index);
        return ranked == selected ? charged : ranked.host();
    }

    @Override
    public int size() {
        return order.size();
    }
}
