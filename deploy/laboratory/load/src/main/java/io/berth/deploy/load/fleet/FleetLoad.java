package io.berth.deploy.load.fleet;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests that load a fleet into placement. Hosts are created concurrently, and the providers of one host one
 * after the other. The hosts' initial consumers follow, up to {@link Consumer#TOGETHER_MAX} in one request.
 */
public final class FleetLoad implements Traffic {
    private final Fleet fleet;
    private final ExpectedUsage expectedUsage;
    private final ArrayDeque<Exchange> ready = new ArrayDeque<>();
    private final List<Integer> withoutConsumer = new ArrayList<>();
    private int started;
    private volatile int complete;

    /**
     * @param expectedUsage gets the allocations of the consumers
     * @param from the number of the first host to create; the hosts below it exist from a smaller fleet of the same
     *         shape
     */
    public FleetLoad(Fleet fleet, ExpectedUsage expectedUsage, int from) {
        this.fleet = fleet;
        this.expectedUsage = expectedUsage;
        this.started = from;
        this.complete = from;
        for (int kind = 0; kind < Fleet.KINDS; kind++) {
            String path = "/traits/" + Fleet.kindTrait(kind);
            ready.add(new Exchange("trait", HttpMethod.PUT, path, null, true,
                    answer -> answer.status() == 201 || answer.status() == 204
                            ? Outcome.GOOD
                            : answer.wrong("PUT " + path)));
        }
    }

    /** Returns the number of hosts whose providers are complete. Any thread may call this. */
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
        return creation(number, fleet.host(number), 0).first();
    }

    private ProviderCreation creation(int number, List<ProviderSpec> host, int index) {
        return new ProviderCreation(host.get(index), ready::add, () -> {
            if (index + 1 < host.size()) {
                ready.add(creation(number, host, index + 1).first());
            } else {
                hostComplete(number);
            }
        });
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written on the event loop alone
    private void hostComplete(int number) {
        complete++;
        withoutConsumer.add(number);
        if (withoutConsumer.size() == Consumer.TOGETHER_MAX || complete == fleet.size()) {
            ready.add(consumers(List.copyOf(withoutConsumer)));
            withoutConsumer.clear();
        }
    }

    private Exchange consumers(List<Integer> numbers) {
        return Consumer.post("load", numbers.stream().map(this::consumer).toList(), expectedUsage);
    }

    private Consumer consumer(int number) {
        return new Consumer(fleet.initialConsumer(number), "bench-project-" + number % 50, "bench-user-" + number % 20,
                fleet.initialUse(number));
    }
}
