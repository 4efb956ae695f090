package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.weigher.RankedHost;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/**
 * The hosts for the next round: the hosts of the last round in the order of claims. The selected host is replaced by
 * its state after the placed instance's resources were subtracted. The list is a read-only view, so that the last
 * round's ranking is sorted only as far as the list is read.
 */
final class RemainingHosts extends AbstractList<HostState> implements RandomAccess {
    private final List<RankedHost> order;
    private final RankedHost selected;
    private final HostState charged;

    RemainingHosts(List<RankedHost> order, RankedHost selected, HostState charged) {
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
