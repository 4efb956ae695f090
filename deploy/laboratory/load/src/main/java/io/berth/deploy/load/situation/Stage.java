package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.ExpectedUsage;
import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.fleet.ProviderSpec;
import io.berth.deploy.load.fleet.UsageCheck;
import io.berth.deploy.load.http.ClientConnections;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The environment of a situation: the services, the fleet in them, the registrations of the fleet with the scheduler
 * ({@link Region}), and the usage that the fleet should have.
 *
 * @param scheduler null if there is none
 * @param schedulerOfReplicas a scheduler that reaches several replicas of placement through a proxy; null if there is
 *         none
 * @param schedulerWithoutRecords a scheduler that writes no decision records; null if there is none
 * @param seed the seed of random choices that are the same in each run
 */
public record Stage(
        Vertx vertx,
        Target placement,
        Target scheduler,
        Target schedulerOfReplicas,
        Target schedulerWithoutRecords,
        Fleet fleet,
        Region region,
        ExpectedUsage expectedUsage,
        long seed) {
    private static final int SETUP_CONNECTIONS = 8;
    private static final Duration SETUP_TIMEOUT = Duration.ofHours(1);

    /**
     * Sends one request outside of any measurement, and returns the response; its status is 0 if there was no response.
     */
    public Response call(Target target, Exchange exchange) throws InterruptedException {
        try (ClientConnections connections = new ClientConnections(vertx, target, 1)) {
            return connections.call(exchange);
        }
    }

    /**
     * Sends all requests of a traffic, outside of any measurement. Returns the first wrong responses, one line each.
     * Sends no more requests after an hour, or after as many wrong responses as {@link Driver} allows.
     */
    public List<String> play(Target target, Traffic traffic) throws InterruptedException {
        try (ClientConnections connections = new ClientConnections(vertx, target, SETUP_CONNECTIONS)) {
            Measurements measurements = new Driver(vertx, connections).closedLoop(traffic, SETUP_TIMEOUT);
            return measurements.wrongs();
        }
    }

    /**
     * Checks the usages of all providers of the fleet whose expected usage has changed since the last call. Returns
     * problems, one line each.
     *
     * @param guests providers outside of the fleet that are also checked
     */
    public List<String> audit(List<ProviderSpec> guests) throws InterruptedException {
        Set<UUID> changedProviders = expectedUsage.takeChangedProviders();
        List<ProviderSpec> providers = Stream.concat(
                IntStream.range(0, fleet.size()).mapToObj(fleet::hostProviders).flatMap(List::stream), guests.stream())
                .filter(provider -> changedProviders.contains(provider.uuid()))
                .toList();
        return play(placement, new UsageCheck(providers, expectedUsage));
    }
}
