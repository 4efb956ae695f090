package io.berth.database;

import io.berth.model.CaFile;
import io.berth.model.DatabaseUrl;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigSourceContext;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.spi.ConfigSource;

/**
 * Turns {@code berth.database-url} (BERTH_DATABASE_URL) into Quarkus' datasource options, so that the URL is parsed in
 * one place. Quarkus' own keys take precedence if they are set in environment variables or system properties.
 */
public final class DatabaseOptions {
    /** The ordinal of the configuration source: above application.properties (250), below the environment (300). */
    public static final int ORDINAL = 275;

    /**
     * URL of the database: {@code postgresql://user:password@host:port/database}, with TLS {@code
     * ?sslmode=verify-full&sslrootcert=FILE}; required. A secret.
     */
    private static final String KEY = "berth.database-url";

    /**
     * PEM file of the certificate authorities that are trusted to sign certificates of servers and clients; absent:
     * those of the JVM.
     */
    private static final String CA = "berth.tls.ca";

    /**
     * True if a missing URL stops the start, unless Quarkus' own key has a URL. False while the service is built, and
     * in tests that supply their own database.
     */
    private static volatile boolean isUrlRequired;

    private DatabaseOptions() {}

    /**
     * Makes a missing URL, or an unusable file of certificate authorities, stop the start with one log line. Call it
     * before Quarkus reads the configuration.
     */
    public static void requireUrl() {
        isUrlRequired = true;
    }

    /**
     * Returns one configuration source; none if no URL is configured.
     *
     * @param schema the schema in which every connection starts
     * @param datasources prefixes of Quarkus' datasource options; migrations run on the first, {@code
     *         quarkus.datasource}
     * @throws ConfigurationException if the URL is invalid, or required and missing; if its sslmode needs certificate
     *         authorities and none are named; if a URL is required and the file of authorities is unusable
     */
    public static List<ConfigSource> sources(ConfigSourceContext context, String schema, List<String> datasources) {
        ConfigValue configured = context.getValue(KEY);
        if (isAbsent(configured)) {
            if (isUrlRequired && isAbsent(context.getValue(datasources.getFirst() + ".reactive.url"))) {
                throw new ConfigurationException(DatabaseUrl.ABSENT);
            }
            return List.of();
        }
        ConfigValue ca = context.getValue(CA);
        DatabaseUrl url = parseUrl(configured.getValue()).withDefaultRootCert(isAbsent(ca) ? "" : ca.getValue());
        if (url.isServerVerified() && url.sslRootCert().isEmpty()) {
            throw new ConfigurationException("BERTH_DATABASE_URL has sslmode=" + url.sslMode()
                    + " and names no authorities; add &sslrootcert=FILE, or set BERTH_TLS_CA");
        }
        // While the service is built, the file need not exist.
        if (isUrlRequired && url.isServerVerified()) {
            requireCertificates(url.sslRootCert());
        }
        Map<String, String> options = new HashMap<>();
        options.put(datasources.getFirst() + ".jdbc.url", url.jdbcUrl(schema));
        for (String datasource : datasources) {
            options.put(datasource + ".reactive.url", url.reactiveUrl(schema));
            options.put(datasource + ".username", url.user());
            options.put(datasource + ".password", url.password());
            putTls(options, datasource + ".reactive.", url);
        }
        // Escapes dollar signs, which would begin an expression.
        options.replaceAll((option, value) -> value.replace("$", "$$"));
        return List.of(new PropertiesConfigSource(options, KEY, ORDINAL));
    }

    private static void putTls(Map<String, String> options, String prefix, DatabaseUrl url) {
        options.put(prefix + "postgresql.ssl-mode", url.sslMode());
        if (url.isServerVerified()) {
            options.put(prefix + "trust-certificate-pem", "true");
            options.put(prefix + "trust-certificate-pem.certs", url.sslRootCert());
        } else {
            // The other modes accept any certificate.
            options.put(prefix + "trust-all", "true");
        }
        if (url.sslMode().equals("verify-full")) {
            options.put(prefix + "hostname-verification-algorithm", "HTTPS");
        }
    }

    private static void requireCertificates(String file) {
        try {
            CaFile.read("BERTH_DATABASE_URL", Path.of(file));
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(invalid.getMessage());
        }
    }

    private static boolean isAbsent(ConfigValue configured) {
        return configured == null || configured.getValue() == null || configured.getValue().isBlank();
    }

    /**
     * Parses the URL. Throws ConfigurationException for an invalid URL, for which Quarkus ends with the message and
     * without a stack trace.
     */
    private static DatabaseUrl parseUrl(String text) {
        try {
            return DatabaseUrl.parse(text);
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(invalid.getMessage());
        }
    }
}
