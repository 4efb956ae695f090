package io.berth.deploy.load.fleet;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The requests that remove a fleet and its initial consumers from placement. All other allocations on its hosts must
 * have been released before. A provider or consumer that does not exist is skipped.
 */
public final class FleetRemoval implements Traffic {
    private final Fleet fleet;
    private final ArrayDeque<Exchange> ready = new ArrayDeque<>();
    private int started;
    private volatile int complete;

    public FleetRemoval(Fleet fleet) {
        this.fleet = fleet;
    }

    /** Returns the number of hosts that are removed. Any thread may call this. */
    public int complete() {
        return complete;
    }

    @Override
    public Exchange next() {
        Exchange next = ready.poll();
        if (next != null || started == fleet.size()) {
            return next;
        }
        int number = started++;
        List<ProviderSpec> host = fleet.host(number);
        return delete("/allocations/" + fleet.initialConsumer(number), () -> provider(host, host.size() - 1));
    }

    /** Adds the request that removes the provider at that index of a host; children are removed before their root. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // written on the event loop alone
    private void provider(List<ProviderSpec> host, int index) {
        if (index < 0) {
            complete++;
        } else {
            ready.add(delete("/resource_providers/" + host.get(index).uuid(), () -> provider(host, index - 1)));
        }
    }

    private static Exchange delete(String path, Runnable then) {
        return Exchange.delete("remove", path, answer -> {
            if (!isGone(answer)) {
                return answer.wrong("DELETE " + path);
            }
            then.run();
            return Outcome.GOOD;
        });
    }

    private static boolean isGone(Response answer) {
        return answer.status() == 204 || answer.status() == 404;
    }
}
