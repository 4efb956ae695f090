package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a service which refuses to start logs only the reason, in one line. */
class StartRefusedIT {
    private final Cloud cloud = Cloud.shared();

    private static void assertRefused(String service, Map<String, String> environment, String message) {
        Throwable refused = Packaged.refusal(service, environment);
        assertThat(refused).rootCause().message().doesNotContain("\tat ", "Caused by", "WARN");
        assertThat(refused.getCause().getMessage().lines().filter(line -> line.contains(" ERROR ")))
                .singleElement().asString().contains(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement-service", "scheduler-service"})
    void refusesToStartIfTheDatabaseDoesNotExist(String service) {
        String url = cloud.postgres().url(cloud.postgres().port()).replaceFirst("[^/]*$", "absent_database");
        assertRefused(service, Map.of("BERTH_DATABASE_URL", url),
                "the database refuses BERTH_DATABASE_URL: FATAL: database \"absent_database\" does not exist");
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement-service", "scheduler-service"})
    void refusesToStartWithOpenIdConnectWithoutAnAudience(String service) {
        String url = cloud.postgres().url(cloud.postgres().port());
        assertRefused(service,
                Map.of("BERTH_DATABASE_URL", url,
                        "BERTH_AUTH_STRATEGY", "oidc",
                        "QUARKUS_OIDC_AUTH_SERVER_URL", "http://127.0.0.1:1",
                        "QUARKUS_OIDC_DISCOVERY_ENABLED", "false",
                        "QUARKUS_OIDC_JWKS_PATH", "/keys",
                        "QUARKUS_OIDC_JWKS_RESOLVE_EARLY", "false"),
                "berth.auth.strategy=oidc needs quarkus.oidc.token.audience");
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement-service", "scheduler-service"})
    void refusesRequiredClientCertificatesWhileThePlainPortIsOpen(String service) {
        String url = cloud.postgres().url(cloud.postgres().port());
        assertRefused(service, Map.of("BERTH_DATABASE_URL", url, "BERTH_TLS_CLIENT_AUTH", "required"),
                "berth.tls.client-auth=required, but the plain port accepts clients without a certificate");
        assertRefused(service, Map.of("BERTH_DATABASE_URL", url, "BERTH_TLS_CLIENT_AUTH", "requird"),
                "berth.tls.client-auth=requird: must be one of none, request, required");
    }

    @ParameterizedTest
    @ValueSource(strings = {"placement-service", "scheduler-service"})
    void refusesToStartWithAMisspelledKey(String service) {
        String url = cloud.postgres().url(cloud.postgres().port());
        assertRefused(service, Map.of("BERTH_DATABASE_URL", url, "BERTH_AUTH_STRATEGI", "keystone"),
                "BERTH_AUTH_STRATEGI is not an option of " + service + ": did you mean BERTH_AUTH_STRATEGY?");
    }

    /** A transaction that waits for a table blocks all others on it, for example behind a backup that takes hours. */
    @ParameterizedTest
    @CsvSource({"placement-service, placement", "scheduler-service, scheduler"})
    void refusesToStartWhileAnotherTransactionLocksItsTable(String service, String schema) throws SQLException {
        String url = cloud.postgres().url(cloud.postgres().port());
        try (Connection backup = cloud.postgres().connect(); var statement = backup.createStatement()) {
            backup.setAutoCommit(false);
            statement.execute("LOCK TABLE " + schema + ".flyway_schema_history");
            assertThat(Packaged.refusal(service, Map.of("BERTH_DATABASE_URL", url)))
                    .rootCause().message().contains("canceling statement due to lock timeout");
        }
    }
}
