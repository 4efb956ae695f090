package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.SelfSigned;
import io.berth.deploy.process.ServiceProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests both services against a PostgreSQL that accepts only TLS connections, with a certificate of localhost. */
class DatabaseTlsIT {
    @TempDir
    static Path folder;

    private static Postgres postgres;

    @BeforeAll
    static void start() throws Exception {
        postgres = Postgres.start(folder);
        Path data = folder.resolve("data");
        SelfSigned.of("dns:localhost")
                .writeKey(data.resolve("server.key"))
                .writeCertificate(data.resolve("server.crt"))
                .writeCertificate(folder.resolve("ca.pem"));
        SelfSigned.of("dns:localhost").writeCertificate(folder.resolve("unknown.pem"));
        try (Connection connection = postgres.connect(); var statement = connection.createStatement()) {
            statement.execute("ALTER SYSTEM SET ssl = on");
            Files.writeString(data.resolve("pg_hba.conf"), "hostssl all all 127.0.0.1/32 trust\n");
            statement.execute("SELECT pg_reload_conf()");
        }
    }

    @AfterAll
    static void stop() {
        postgres.close();
    }

    private static String url(String host, String parameters) {
        return postgres.url(postgres.port()).replace("@127.0.0.1:", "@" + host + ":")
                + parameters.replace("{}", folder.toString());
    }

    @ParameterizedTest
    @CsvSource({"localhost, ?sslmode=verify-full&sslrootcert={}/ca.pem",
        "127.0.0.1, ?sslmode=verify-ca&sslrootcert={}/ca.pem",
        "127.0.0.1, ?sslmode=require"})
    void allPoolsOfBothServicesUseTls(String host, String parameters) throws SQLException {
        Map<String, String> environment = Map.of("BERTH_DATABASE_URL", url(host, parameters));
        try (var placement = ServiceProcess.start(Packaged.PLACEMENT, environment)) {
            var api = new Api(placement.url());
            Await.eventually("readiness", api::isReady);
            Cloud.hosts(api, 3);
            try (var scheduler = ServiceProcess.start(Packaged.SCHEDULER, Map.of(
                    "BERTH_DATABASE_URL", url(host, parameters), "BERTH_PLACEMENT_URL", placement.url()))) {
                Await.eventually("readiness", new Api(scheduler.url())::isReady);
                assertThat(connections()).hasSizeGreaterThan(2).containsOnly(true);
            }
        }
    }

    /** Returns for each client connection whether it is encrypted. */
    private static List<Boolean> connections() throws SQLException {
        try (Connection connection = Postgres.connect(url("localhost", "?sslmode=require"));
                var statement = connection.createStatement();
                var found = statement.executeQuery("""
                        SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_addr IS NOT NULL""")) {
            List<Boolean> encrypted = new ArrayList<>();
            while (found.next()) {
                encrypted.add(found.getBoolean(1));
            }
            return encrypted;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, '', no encryption",
        "127.0.0.1, ?sslmode=verify-full&sslrootcert={}/ca.pem, The hostname 127.0.0.1 could not be verified",
        "localhost, ?sslmode=verify-ca&sslrootcert={}/unknown.pem, PKIX path validation failed",
        "localhost, ?sslmode=verify-full&sslrootcert={}/absent.pem, absent.pem",
        "localhost, ?sslmode=verify-full, 'names no authorities; add &sslrootcert=FILE, or set BERTH_TLS_CA'",
        "localhost, ?sslmode=on, 'has sslmode=on; must be one of disable, allow, prefer, require'"})
    void logsAMismatchInOneLine(String host, String parameters, String message) {
        assertThat(Packaged.refusal("placement-service", Map.of("BERTH_DATABASE_URL", url(host, parameters))))
                .rootCause().message().contains(message).doesNotContain("\tat ");
    }

    @Test
    void verifiesTheDatabaseWithTheAuthoritiesOfBerthTlsCa() {
        try (var placement = ServiceProcess.start(Packaged.PLACEMENT, Map.of(
                "BERTH_DATABASE_URL", url("localhost", "?sslmode=verify-full"),
                "BERTH_TLS_CA", folder.resolve("ca.pem").toString()))) {
            Await.eventually("readiness", new Api(placement.url())::isReady);
        }
    }
}
