package io.berth.deploy.load.fleet;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The requests that remove a fleet and its initial consumers from placement. All other allocations on the hosts must
 * have been released before. A provider or consumer that does not exist counts as removed.
 */
public final class FleetRemoval implements Traffic {
    private final Fleet fleet;
    private final ArrayDeque<Exchange> readyRequests = new ArrayDeque<>();
    private int nextHost;
    private volatile int removedHosts;

    public FleetRemoval(Fleet fleet) {
        this.fleet = fleet;
    }

    /** Returns the number of hosts that are removed. Any thread may call this. */
    public int removedHostCount() {
        return removedHosts;
    }

    @Override
    public Exchange next() {
        Exchange ready = readyRequests.poll();
        if (ready != null || nextHost == fleet.size()) {
            return ready;
        }
        int number = nextHost++;
        List<ProviderSpec> host = fleet.hostProviders(number);
        return delete("/allocations/" + fleet.initialConsumerUuid(number), () -> removeProvider(host, host.size() - 1));
    }

    /** Adds the request that removes the provider at this index of a host; children are removed before their root. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written on the event loop alone
    private void removeProvider(List<ProviderSpec> host, int index) {
        if (index < 0) {
            removedHosts++;
        } else {
            readyRequests.add(
                    delete("/resource_providers/" + host.get(index).uuid(), () -> removeProvider(host, index - 1)));
        }
    }

    private static Exchange delete(String path, Runnable onRemoved) {
        return Exchange.delete("remove", path, response -> {
            if (!isGone(response)) {
                return response.wrong("DELETE " + path);
            }
            onRemoved.run();
            return Outcome.GOOD;
        });
    }

    private static boolean isGone(Response response) {
        return response.status() == 204 || response.status() == 404;
    }
}
