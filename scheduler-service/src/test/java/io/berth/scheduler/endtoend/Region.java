package io.berth.scheduler.endtoend;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.restassured.RestAssured;
import io.restassured.builder.RequestSpecBuilder;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One Placement and some schedulers as an operator runs them: packaged, as separate processes, on a database of their
 * own.
 */
final class Region implements AutoCloseable {
    private final List<ServiceProcess> processes = new ArrayList<>();
    private final String placementUrl;
    private final List<String> schedulerUrls = new ArrayList<>();

    private Region(int schedulers, String novaConf) {
        try {
            // Other tests of this JVM fill the shared database with their own fleets.
            String database = PostgresForTests.newDatabase();
            Path options = Files.createTempFile("berth-nova", ".conf");
            options.toFile().deleteOnExit();
            Files.writeString(options, novaConf);
            placementUrl = startService("placement-service", Map.of("BERTH_DATABASE_URL", database));
            for (int i = 0; i < schedulers; i++) {
                schedulerUrls.add(startService(
                        "scheduler-service",
                        Map.of(
                                "BERTH_DATABASE_URL", database,
                                "BERTH_PLACEMENT_URL", placementUrl,
                                "BERTH_SCHEDULER_CAPACITY_INTERVAL", "1S",
                                "BERTH_NOVA_CONF", options.toString())));
            }
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** @param novaConf content of the operator's nova.conf, the same for all schedulers */
    static Region start(int schedulers, String novaConf) {
        return new Region(schedulers, novaConf);
    }

    private String startService(String module, Map<String, String> environment) {
        ServiceProcess process = ServiceProcess.start(Path.of("..", module), environment);
        processes.add(process);
        return process.url();
    }

    RequestSpecification placement() {
        return admin(placementUrl).header("openstack-api-version", "placement 1.39");
    }

    /** One of the schedulers, which are all equal, chosen by any number. */
    RequestSpecification scheduler(int number) {
        return admin(schedulerUrls.get(number % schedulerUrls.size()));
    }

    /** Stops the scheduler; its URL is then unreachable. */
    void stopScheduler(int number) {
        processes.get(1 + number).close();
    }

    private static RequestSpecification admin(String url) {
        return RestAssured.given(new RequestSpecBuilder()
                .setBaseUri(url)
                .setPort(URI.create(url).getPort())
                .build())
                .header("x-auth-token", "admin")
                .contentType("application/json");
    }

    @Override
    public void close() {
        processes.reversed().forEach(ServiceProcess::close);
    }
}
