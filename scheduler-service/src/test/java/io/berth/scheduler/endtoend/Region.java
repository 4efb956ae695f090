package io.berth.scheduler.endtoend;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.ServiceProcess;
import io.berth.model.DatabaseUrl;
import io.restassured.RestAssured;
import io.restassured.builder.RequestSpecBuilder;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One Placement and some schedulers as an operator runs them: packaged, as processes, on a database of their own. */
final class Region implements AutoCloseable {
    private final List<ServiceProcess> processes = new ArrayList<>();
    private final String placementUrl;
    private final List<String> schedulerUrls = new ArrayList<>();

    private Region(int schedulers, String novaConf) {
        try {
            String database = newDatabase();
            Path options = Files.createTempFile("berth-nova", ".conf");
            options.toFile().deleteOnExit();
            Files.writeString(options, novaConf);
            placementUrl = started("placement-service", Map.of("BERTH_DATABASE_URL", database));
            for (int i = 0; i < schedulers; i++) {
                schedulerUrls.add(started(
                        "scheduler-service",
                        Map.of(
                                "BERTH_DATABASE_URL", database,
                                "BERTH_PLACEMENT_URL", placementUrl,
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

    private String started(String module, Map<String, String> environment) {
        ServiceProcess process = ServiceProcess.start(Path.of("..", module), environment);
        processes.add(process);
        return process.url();
    }

    /** Other tests of this JVM fill the shared database with their own fleets. */
    private static String newDatabase() {
        DatabaseUrl shared = DatabaseUrl.parse(PostgresForTests.url());
        String name = "region_" + UUID.randomUUID().toString().replace("-", "");
        try (var connection =
                        DriverManager.getConnection(shared.jdbcUrl("public"), shared.user(), shared.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("no database for the region", e);
        }
        return PostgresForTests.url().replaceFirst("/[^/]*$", "/" + name);
    }

    RequestSpecification placement() {
        return admin(placementUrl).header("openstack-api-version", "placement 1.39");
    }

    /** Any number: they are equal, it only chooses one. */
    RequestSpecification scheduler(int number) {
        return admin(schedulerUrls.get(number % schedulerUrls.size()));
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
