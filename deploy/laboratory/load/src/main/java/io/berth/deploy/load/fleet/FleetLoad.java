package io.berth.deploy.load.fleet;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The requests that load a fleet into placement, beginning with the {@link Fleet#kindTrait} of each kind of host. Hosts
 * are created concurrently, but the providers of one host one after the other. The initial consumers are created when
 * their hosts are complete, up to {@link Consumer#CONSUMERS_PER_REQUEST_MAX} in one request.
 */
public final class FleetLoad implements Traffic {
    private final Fleet fleet;
    private final ExpectedUsage expectedUsage;
    private final ArrayDeque<Exchange> readyRequests = new ArrayDeque<>();
    /** The numbers of the complete hosts whose consumer is not created yet. */
    private final List<Integer> withoutConsumer = new ArrayList<>();
    private int nextHost;
    private volatile int completeHosts;

    /**
     * @param expectedUsage gets the allocations of the initial consumers once they are created
     * @param from the number of the first host to create; the hosts below it exist from a smaller fleet of the same
     *         shape
     */
    public FleetLoad(Fleet fleet, ExpectedUsage expectedUsage, int from) {
        this.fleet = fleet;
        this.expectedUsage = expectedUsage;
        this.nextHost = from;
        this.completeHosts = from;
        for (int kind = 0; kind < Fleet.KINDS; kind++) {
            String path = "/traits/" + Fleet.kindTrait(kind);
            readyRequests.add(new Exchange("trait", HttpMethod.PUT, path, null, true,
                    response -> response.status() == 201 || response.status() == 204
                            ? Outcome.GOOD
                            : response.wrong("PUT " + path)));
        }
    }

    /**
     * Returns the number of hosts whose providers are complete, including the hosts of a smaller fleet that existed
     * before. Any thread may call this.
     */
    public int completeHostCount() {
        return completeHosts;
    }

    @Override
    public Exchange next() {
        Exchange ready = readyRequests.poll();
        if (ready != null || nextHost == fleet.size()) {
            return ready;
        }
        int number = nextHost++;
        return createProvider(number, fleet.hostProviders(number), 0).first();
    }

    private ProviderCreation createProvider(int number, List<ProviderSpec> host, int index) {
        return new ProviderCreation(host.get(index), readyRequests::add, () -> {
            if (index + 1 < host.size()) {
                readyRequests.add(createProvider(number, host, index + 1).first());
            } else {
                onHostComplete(number);
            }
        });
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written on the event loop alone
    private void onHostComplete(int number) {
        completeHosts++;
        withoutConsumer.add(number);
        if (withoutConsumer.size() == Consumer.CONSUMERS_PER_REQUEST_MAX || completeHosts == fleet.size()) {
            readyRequests.add(createConsumers(List.copyOf(withoutConsumer)));
            withoutConsumer.clear();
        }
    }

    private Exchange createConsumers(List<Integer> numbers) {
        return Consumer.post("load", numbers.stream().map(this::consumer).toList(), expectedUsage);
    }

    private Consumer consumer(int number) {
        return new Consumer(fleet.initialConsumerUuid(number), "bench-project-" + number % 50,
                "bench-user-" + number % 20,
                fleet.initialAllocations(number));
    }
}
