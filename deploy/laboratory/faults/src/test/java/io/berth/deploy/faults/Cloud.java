package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.Seed;
import io.berth.deploy.process.ServiceProcess;
import io.berth.deploy.wire.Wire;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * PostgreSQL and two placement replicas as processes, with a wire between them. All tests of this JVM share it, and
 * each test restores its state.
 */
final class Cloud {
    /** True for the longer form of the tests, with more rounds and longer faults. */
    static final boolean LONG = Boolean.getBoolean("berth.faults.long");
    /** These hosts fill up soon, which tests the capacity limits; the others never fill up. */
    private static final int SMALL_HOSTS = 4;
    private static final int SMALL_VCPUS = 8;
    private static final int LARGE_VCPUS = 100_000;
    private static final double RATIO = 1.5;

    private static Cloud shared;

    private final Postgres postgres = Postgres.start();
    private final Wire wire = Wire.to(postgres.port());
    private final List<ServiceProcess> placements = new ArrayList<>();
    private final long seed = Seed.of(Cloud.class);

    private Cloud() {
        placements.add(ServiceProcess.start(Packaged.PLACEMENT, postgres.url(wire.port())));
        placements.add(ServiceProcess.start(Packaged.PLACEMENT, postgres.url(wire.port())));
        Runtime.getRuntime().addShutdownHook(new Thread(this::stop));
    }

    static synchronized Cloud shared() {
        if (shared == null) {
            shared = new Cloud();
        }
        return shared;
    }

    private void stop() {
        placements.forEach(ServiceProcess::close);
        wire.close();
        postgres.close();
    }

    Postgres postgres() {
        return postgres;
    }

    /** Returns the wire between both replicas and PostgreSQL. */
    Wire wire() {
        return wire;
    }

    long seed() {
        return seed;
    }

    /** @param index 0 or 1 */
    Api placement(int index) {
        return new Api(placements.get(index).url());
    }

    Process process(int index) {
        return placements.get(index).process();
    }

    String url(int index) {
        return placements.get(index).url();
    }

    void startAgain(int index) {
        int port = URI.create(placements.get(index).url()).getPort();
        placements.set(index, ServiceProcess.start(Packaged.PLACEMENT, postgres.url(wire.port()), port));
    }

    /** Starts claims on new hosts through both replicas, and waits until they succeed. */
    ClaimLoad claims(int clients) {
        awaitReady(0);
        awaitReady(1);
        var load = new ClaimLoad(List.of(placement(0), placement(1)), hosts(placement(0), 12), clients, seed);
        load.awaitAcknowledged(50);
        return load;
    }

    /** Creates hosts for a {@link ClaimLoad}. */
    static List<UUID> hosts(Api placement, int count) {
        List<UUID> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            UUID uuid = UUID.randomUUID();
            expect(200, placement.call("POST", "/resource_providers", """
                    {"name": "host-%s", "uuid": "%s"}""".formatted(uuid, uuid)));
            expect(200, placement.call("PUT", "/resource_providers/" + uuid + "/inventories", """
                    {"resource_provider_generation": 0,
                     "inventories": {"VCPU": {"total": %d, "allocation_ratio": %s}}}"""
                    .formatted(i < SMALL_HOSTS ? SMALL_VCPUS : LARGE_VCPUS, RATIO)));
            hosts.add(uuid);
        }
        return hosts;
    }

    static void expect(int status, Api.Response response) {
        assertThat(response.status()).as("%s", response).isEqualTo(status);
    }

    /** Waits until both replicas are ready, and compares the books with the tables. */
    void checkAfter(ClaimLoad load) throws SQLException {
        awaitReady(0);
        awaitReady(1);
        System.out.println("  " + load);
        try (Connection database = postgres.connect()) {
            load.books.check(database);
        }
    }

    void awaitReady(int index) {
        Api placement = placement(index);
        Await.eventually("readiness of replica " + index, placement::isReady);
    }
}
