package io.berth.deploy.migration;

import io.berth.deploy.http.Credential;
import io.berth.deploy.http.Endpoint;
import io.berth.deploy.http.Progress;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.sample.SampleCloud;
import io.berth.deploy.migration.sample.SampleMain;
import io.berth.deploy.postgres.PostgresServer;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Two packaged placement services on one PostgreSQL: the first has a sample cloud, the second is empty. */
record TwoPlacements(PostgresServer postgres, ServiceProcess source, ServiceProcess target) implements AutoCloseable {
    private static final Path PLACEMENT = Path.of("..", "..", "placement-service");

    static TwoPlacements start(Path folder, int providers, int consumers) throws Exception {
        PostgresServer postgres = PostgresServer.start(folder, 0, false, false);
        String url = postgres.url();
        try (var connection = DriverManager.getConnection("jdbc:" + url.replaceFirst("//.*@", "//"), "postgres", "");
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE migration_target");
        }
        var starting = CompletableFuture.supplyAsync(
                () -> ServiceProcess.start(PLACEMENT, url.replaceFirst("/postgres$", "/migration_target")));
        var services = new TwoPlacements(postgres, ServiceProcess.start(PLACEMENT, url), starting.get());
        SampleMain.load(services.api(), SampleCloud.of(providers, consumers, new Random(7)),
                new Progress(new PrintWriter(System.out, true, StandardCharsets.UTF_8)));
        return services;
    }

    /** Returns a client of the source. */
    RestClient api() {
        return client(source);
    }

    static RestClient client(ServiceProcess service) {
        return new RestClient(Endpoint.parse(service.url()), Credential.token("admin"), null);
    }

    @Override
    public void close() throws IOException {
        source.close();
        target.close();
        postgres.close();
    }
}
